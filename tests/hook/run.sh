#!/usr/bin/env bash
# run.sh git BIN | pre-commit BIN VENV BUILD PYTHON: the hooks in scratch
# repositories. VENV is made with the pre-commit from PyPI; 77 where that cannot be
# had. Its hooks install the wheel of BUILD, and find nothing on the PATH.
set -u
kind=$1 bin=$(realpath "$2") venv=$(realpath -m "${3:-none}") build=${4:-} python=${5:-}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0
pipelinify() { "$bin" "$@"; }
export HOME=$box PRE_COMMIT_HOME=$box/pc LC_ALL=C
export GIT_CONFIG_GLOBAL=$box/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.email a@b.c
git config --global user.name a
git config --global init.defaultBranch main
git config --global advice.detachedHead false

kernel() { cat "$root/tests/cli/real-config/k.cu"; }
plain() { echo 'int x;'; }
fail() { echo "FAILED: $*"; [ ! -f "$box/log" ] || sed 's/^/    /' "$box/log"; failed=1; }
expect() { # WHAT, COMMAND...: it succeeds
  what=$1; shift
  "$@" >"$box/log" 2>&1 || fail "$what"
}
refused() { # WHAT, COMMAND...: it does not
  what=$1; shift
  ! "$@" >"$box/log" 2>&1 || fail "$what: went through"
}
said() { grep -qF -- "$2" "$box/log" || fail "$1: '$2' is not said"; }
pipelined() { grep -q '// pipelinify: ldg' "$1"; }
fresh() {
  rm -rf "$box/repo"
  git init -q "$box/repo"
  cd "$box/repo" || exit 2
}
commit() { git commit -q -m x "$@"; }

# ---- the hook without pre-commit ------------------------------------------------

test_git() {
  mkdir "$box/bin"
  ln -s "$bin" "$box/bin/pipelinify"
  export PATH="$box/bin:$PATH"
  fresh
  cp "$root/tools/git-pre-commit" .git/hooks/pre-commit
  plain >p.cu; git add p.cu
  expect 'a file without loops' commit
  kernel >'a b.cu'; git add .
  refused 'a kernel' commit
  said 'a kernel' 'a b.cu'
  pipelinify -q -i 'a b.cu'
  refused 'the working tree does not count' commit
  git add .
  expect 'pipelined' commit
  git mv 'a b.cu' c.cu
  expect 'renamed' commit
  git rm -q c.cu
  expect 'deleted' commit
  kernel >d.cu; git add d.cu
  expect 'SKIP' env SKIP=pipelinify git commit -q -m x
  git config pipelinify.style generated
  kernel >g.cu; git add g.cu
  refused 'no generated file' commit
  said 'no generated file' 'g_pipe.cu'
  pipelinify -q --suffix=_pipe g.cu; git add .
  expect 'both' commit
  echo 'int hand;' >>g_pipe.cu; git add .
  refused 'edited by hand' commit
  git config pipelinify.style other
  refused 'an unknown style' commit
}

# ---- pre-commit -----------------------------------------------------------------

install_pre_commit() {
  [ -x "$venv/bin/pre-commit" ] && return
  "$python" -m venv "$venv" >"$box/log" 2>&1 &&
    timeout 120 "$venv/bin/pip" -q --disable-pip-version-check install pre-commit \
      >"$box/log" 2>&1
}

use_hook() { # ID [LINE]
  fresh
  printf 'fail_fast: false\nrepos:\n- repo: %s\n  rev: v1\n  hooks:\n  - id: %s\n%s' \
    "$box/hooks" "$1" "${2:-}" >.pre-commit-config.yaml
  git add .
  pre-commit install >/dev/null
}

# This repository, tagged; what it needs beside is the wheel and PyPI's libclang.
make_hooks() {
  bash -c 'build=$1 python=$2; . "$0"' "$root/tests/wheel/house.sh" "$build" "$python" ||
    exit $?
  export PIP_NO_INDEX=1 PIP_FIND_LINKS=$(realpath "$build/wheel/house")
  git init -q "$box/hooks"
  (cd "$root" && tar cf - --exclude __pycache__ .pre-commit-hooks.yaml CMakeLists.txt \
    LICENSE README.md docs packaging pyproject.toml rewriter src templates tools) |
    tar xf - -C "$box/hooks"
  (cd "$box/hooks" && git add . && commit && git tag v1)
}

# `language: system`, as a repository may say: the one on the PATH.
test_system() {
  mkdir "$box/path"
  printf '#!/bin/sh\necho "of the path: $*"; exit 1\n' >"$box/path/pipelinify"
  chmod +x "$box/path/pipelinify"
  use_hook pipelinify-check '    language: system
'
  kernel >k.cu; git add .
  refused 'system' env PATH="$box/path:$PATH" git commit -q -m x
  said 'system' 'of the path: --check -q k.cu'
}

test_pre_commit() {
  install_pre_commit || { echo "skipped: pre-commit cannot be installed"; tail -1 "$box/log"; exit 77; }
  make_hooks
  export PATH="$venv/bin:/usr/local/bin:/usr/bin:/bin"
  ! type -P pipelinify >/dev/null || fail 'a pipelinify is on the PATH'
  expect 'the manifest' pre-commit validate-manifest "$box/hooks/.pre-commit-hooks.yaml"

  use_hook pipelinify-check
  plain >p.cu; git add .
  expect 'check: nothing to do' commit
  kernel >k.cu; git add .
  refused 'check: new' commit
  said 'check: new' k.cu
  expect 'check: SKIP' env SKIP=pipelinify-check git commit -q -m x
  git mv k.cu r.cu
  refused 'check: renamed' commit
  git rm -qf r.cu
  expect 'check: deleted' commit

  use_hook pipelinify
  kernel >k.cu; plain >p.cu; git add .
  refused 'in place: new' commit
  pipelined k.cu || fail 'in place: the file is not rewritten'
  git add .
  expect 'in place: after git add' commit
  kernel | sed 's/mm(/mm2(/' >k.cu; git add k.cu
  echo 'int later;' >>k.cu
  refused 'in place: partially staged' commit
  grep -q 'int later' k.cu || fail 'in place: the unstaged change is lost'
  git checkout -q HEAD k.cu
  git checkout -q -b side; kernel | sed 's/mm(/s(/' >s.cu; pipelinify -q -i s.cu
  git add .; expect 'in place: side' commit
  git checkout -q main; echo 'int y;' >>p.cu; git add .; expect 'in place: main' commit
  expect 'in place: merge' git merge -q -m merge side
  git checkout -q -b conflict HEAD~1; kernel >s.cu; git add .
  env SKIP=pipelinify git commit -q -m x
  git merge -q main >/dev/null 2>&1
  kernel >s.cu; git add s.cu
  refused 'in place: a resolved merge' commit
  pipelined s.cu || fail 'in place: a resolved merge is not rewritten'
  git add .; expect 'in place: the merge at last' commit

  use_hook pipelinify
  for i in $(seq 60); do kernel | sed "s/mm(/k$i(/" >k$i.cu; done
  git add .
  refused 'many files' commit
  for i in $(seq 60); do pipelined k$i.cu || fail "many files: k$i.cu"; done
  [ -z "$(ls -A | grep -v '^k[0-9]*.cu$\|^.git$\|^.pre-commit-config.yaml$')" ] ||
    fail 'many files: something is left behind'
  git checkout -q .
  refused 'a pty' script -qec 'pre-commit run --color=always --all-files' /dev/null
  pipelined k1.cu || fail 'a pty: not rewritten'

  use_hook pipelinify-generated
  kernel >k.cu; git add .
  refused 'generated: new' commit
  pipelined k_pipe.cu || fail 'generated: not written'
  expect 'generated: git add' git add .
  expect 'generated: in step' commit
  kernel | sed 's/sum = 0/sum = 1/' >k.cu; git add .
  refused 'generated: stale' commit
  grep -q 'sum = 1' k_pipe.cu || fail 'generated: not updated'
  git add .; expect 'generated: updated' commit
  echo 'int hand;' >>k_pipe.cu; git add .
  refused 'generated: edited by hand' commit
  said 'generated: edited by hand' '--force overwrites it'
  pipelinify -q --force --suffix=_pipe k.cu; git add .
  git rm -q --cached k_pipe.cu; rm k_pipe.cu
  refused 'generated: missing' pre-commit run --all-files

  use_hook pipelinify-generated-check
  kernel >k.cu; git add .
  refused 'generated, check: missing' commit
  said 'generated, check: missing' k_pipe.cu
  [ ! -e k_pipe.cu ] || fail 'generated, check: it writes'
  pipelinify -q --suffix=_pipe k.cu; git add .
  expect 'generated, check: in step' commit
  git rm -q --cached k.cu; rm k.cu; plain >p.cu
  pipelinify -q --suffix=_pipe p.cu; git add .
  refused 'generated, check: the source is gone' pre-commit run --all-files

  test_system
}

case $kind in
  git) test_git ;;
  pre-commit) test_pre_commit ;;
esac
[ $failed = 0 ] && echo "$kind: fine"
exit $failed
