#!/usr/bin/env bash
# wheel.sh BUILD PYTHON: what the wheel is, and what it does in a clean virtual
# environment.
set -u
build=${1:?build directory} python=${2:?python}
. "$(dirname "$0")/house.sh"
wheel=$(ls "$house"/pipelinify-*.whl)

# ---- what it is -----------------------------------------------------------------

mkdir "$box/inside"
"$python" -m zipfile -e "$wheel" "$box/inside"
program=$box/inside/pipelinify/bin/pipelinify
needs=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
  grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux.*)\.so\.')
[ -z "$needs" ] || fail "the program needs $needs"
readelf -d "$program" | grep -qi 'r.*path' && fail "the program has a run path"
newest=$(readelf -V "$program" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1)
tag=manylinux_$(sed 's/GLIBC_//; s/\./_/' <<<"$newest")_$(uname -m)
[[ $wheel == *-py3-none-$tag.whl ]] || fail "$wheel: a program for $tag"
cp "$wheel" "$box/first.whl"
exec 9>"$house.lock"
flock 9
cmake --build "$build" --target wheel >"$box/log" 2>&1
cmp -s "$build/wheel/dist/${wheel##*/}" "$box/first.whl" || fail "made again it is another one"
exec 9>&-
for package in isl gmp pcre2 jansson inih nettle; do
  ls "$box"/inside/*.dist-info/licenses | grep -q "$package" ||
    [ ! -d /usr/share/doc/lib$package-dev ] || fail "the terms of $package are not inside"
done

# ---- what it does ---------------------------------------------------------------

new_venv "$box/v" || skip "no virtual environment"
find "$box/v" | sort >"$box/before"
install "$box/v" pipelinify || fail "pip install"
clean_path=$box/v/bin:/usr/bin:/bin
cd "$box" || exit 2
libclang=$(clean "$box/v/bin/pip" show libclang | sed -n 's/^Version: //p')
clean pipelinify -V >said || fail "pipelinify -V"
grep -q "^libclang: clang version $libclang" said ||
  fail "it parses with another libclang than $libclang: $(cat said)"
[ "$(clean python -m pipelinify -V)" = "$(cat said)" ] || fail "python -m pipelinify"

block 1 >sgemm.cu
block 2 >want.cu
clean pipelinify -q sgemm.cu >got.cu || fail "the README's kernel"
cmp want.cu got.cu || fail "the README's kernel gives another text"
clean pipelinify -q - <sgemm.cu | cmp - want.cu || fail "by way of a pipe"
clean pipelinify --check -q sgemm.cu >said
[ "$? $(cat said)" = "1 sgemm.cu" ] || fail "the exit code is the program's"
clean env PIPELINIFY_LIBCLANG=/nowhere/libclang.so pipelinify sgemm.cu >said 2>&1
[ $? = 2 ] && grep -q /nowhere said || fail "another libclang that was asked for"
clean pipelinify -q --no-cache --out-dir=out . --emit-ninja build.ninja
grep -q "command = PIPELINIFY_LIBCLANG=$box/v/.*/libclang.so " build.ninja ||
  fail "ninja is not told where libclang is"
for file in man/man1/pipelinify.1 doc/pipelinify/launch.md pipelinify/git-pre-commit \
  bash-completion/completions/pipelinify; do
  [ -s "$box/v/share/$file" ] || fail "$file is not installed"
done
[ -x "$box/v/share/pipelinify/git-pre-commit" ] || fail "the git hook cannot be run"

clean "$box/v/bin/pip" -q uninstall -y pipelinify libclang
find "$box/v" | grep -v __pycache__ | sort | comm -13 <(grep -v __pycache__ "$box/before") - >left
[ -s left ] && [ "$(grep -cE 'pipelinify|clang' left)" != 0 ] && { cat left; fail "left behind"; }

# ---- pip install . --------------------------------------------------------------

# Of the same source the registry's wheel is taken; of another one never.
of_tree() { # DIR: pip install, with no compiler on the PATH
  new_venv "$box/t" && clean env PIP_NO_INDEX=1 PIP_FIND_LINKS="$house" \
    PATH="$box/t/bin" "$box/t/bin/pip" install "$1" >"$box/log" 2>&1
}
copy_source "$box/same"
of_tree "$box/same" || { tail -5 "$box/log"; fail "pip install of this source"; }
clean "$box/t/bin/pipelinify" -q sgemm.cu | cmp - want.cu || fail "what that installed"
rm -r "$box/t"
copy_source "$box/other"
echo '/* another one */' >>"$box/other/src/cli/main.c"
of_tree "$box/other" && fail "the wheel of another source was taken"
grep -q 'no wheel of this source in the registry' "$box/log" ||
  { grep -v "^ *\(\[\|$\)" "$box/log"; fail "it does not say what is missing"; }

[ $failed = 0 ] && echo fine
exit $failed
