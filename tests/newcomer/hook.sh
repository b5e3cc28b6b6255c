#!/usr/bin/env bash
# hook.sh BUILD PYTHON: a git repository with pre-commit from PyPI and no pipelinify
# on the PATH: the hook checks a kernel, rewrites it, and lets it go by.
set -u
build=${1:?build directory} python=${2:?python}
. "$(dirname "$0")/../wheel/house.sh"
cd "$box" || exit 2

new_venv "$box/v" || skip "no virtual environment: $(tail -1 "$box/venv.log")"
timeout 300 "$box/v/bin/pip" -q --disable-pip-version-check install pre-commit \
  >"$box/log" 2>&1 || skip "no pre-commit from the registry: $(tail -1 "$box/log")"
clean_path=$box/v/bin:/usr/bin:/bin
export GIT_CONFIG_GLOBAL=$box/gitconfig GIT_CONFIG_NOSYSTEM=1
pip_finds() { # the wheel as the registry would have it
  clean env GIT_CONFIG_GLOBAL="$GIT_CONFIG_GLOBAL" GIT_CONFIG_NOSYSTEM=1 \
    PIP_NO_INDEX=1 PIP_FIND_LINKS="$house" "$@"
}
git config --global user.email new@comer
git config --global user.name newcomer
git config --global init.defaultBranch main
git config --global advice.detachedHead false

copy_source "$box/pipelinify"
(cd "$box/pipelinify" && git init -q && git add . && git commit -q -m all && git tag v1)
git init -q "$box/project"
cd "$box/project" || exit 2
for hook in pipelinify-check pipelinify; do
  printf 'repos:\n- repo: %s\n  rev: v1\n  hooks:\n  - id: %s\n' "$box/pipelinify" $hook \
    >.pre-commit-config.yaml
  git add .
  block 1 >sgemm.cu
  git add sgemm.cu
  pip_finds pre-commit install >"$box/log" 2>&1 || fail "pre-commit install"
  pip_finds git commit -q -m kernel >"$box/log" 2>&1 && fail "$hook: went through"
  [ $hook = pipelinify ] || grep -q '^sgemm.cu$' "$box/log" ||
    { cat "$box/log"; fail "$hook does not name the kernel"; }
done
block 2 | cmp - sgemm.cu || { cat "$box/log"; fail "not the README's text"; }
git add sgemm.cu
pip_finds git commit -q -m pipelined >"$box/log" 2>&1 || { cat "$box/log"; fail "commit"; }
exit $failed
