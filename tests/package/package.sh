#!/usr/bin/env bash
# package.sh BUILD CC: installs into a scratch tree, builds example.c against it
# through pkg-config and through find_package, and looks into the .deb.
set -eu
build=${1:?build directory} compiler=${2:?C compiler}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

prefix=$scratch/installed
cmake --install "$build" --prefix "$prefix" >"$scratch/log"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
said=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs pipelinify)
# shellcheck disable=SC2086
"$compiler" -std=c11 -Wall -Werror -o "$scratch/one" "$here/example.c" $said
[ "$("$scratch/one")" = "sum_tiles: pipelined" ] || fail "pkg-config's example"

cat >"$scratch/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(example C)
find_package(pipelinify 0.1 REQUIRED)
add_executable(two $here/example.c)
target_link_libraries(two pipelinify::pipelinify)
END
cmake -S "$scratch" -B "$scratch/b" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$prefix" >>"$scratch/log"
cmake --build "$scratch/b" >>"$scratch/log"
[ "$("$scratch/b/two")" = "sum_tiles: pipelined" ] || fail "CMake's example"

for file in bin/pipelinify share/man/man1/pipelinify.1 \
  bin/pipelinify-nvcc share/man/man1/pipelinify-nvcc.1 \
  share/bash-completion/completions/pipelinify \
  share/bash-completion/completions/pipelinify-nvcc \
  share/zsh/vendor-completions/_pipelinify \
  share/fish/vendor_completions.d/pipelinify.fish \
  share/fish/vendor_completions.d/pipelinify-nvcc.fish share/doc/pipelinify/launch.md \
  share/doc/pipelinify/forms.md share/doc/pipelinify/tune.md \
  share/doc/pipelinify/report.schema.json share/pipelinify/git-pre-commit \
  share/doc/pipelinify/pipelinify-array.sbatch \
  share/doc/pipelinify/pipelinify-tune.sbatch; do
  [ -s "$prefix/$file" ] || fail "$file is not installed"
done
for file in "$here"/../../docs/*.sbatch; do
  [ -e "$prefix/share/doc/pipelinify/${file##*/}" ] || fail "$file is not installed"
done
# The pages name no page that is not there.
find "$prefix/share/doc/pipelinify" -name '*.md' | while read -r page; do
  grep -oE '\]\([a-zA-Z.][^): #]*\.[a-z]+[)#]' "$page" | sed 's/^](//; s/.$//' | sort -u |
    while read -r link; do
      [ -e "${page%/*}/$link" ] || echo "${page##*/}: $link"
    done
done >"$scratch/links"
[ ! -s "$scratch/links" ] || { cat "$scratch/links"; fail "links lead nowhere"; }
# The git hook works as it is installed.
mkdir "$scratch/repo"
(cd "$scratch/repo" && git init -q && git config user.email a@b.c && git config user.name a &&
  cp "$prefix/share/pipelinify/git-pre-commit" .git/hooks/pre-commit &&
  sed -n '/^    "/{s/^    "//;s/\\n".*//;p}' "$here/example.c" >k.cu && git add k.cu &&
  ! PATH=$prefix/bin:$PATH git commit -q -m x) >>"$scratch/log" 2>&1 ||
  fail "the git hook lets a kernel go by"
grep -q 'not in step' "$scratch/log" || fail "the git hook says nothing"

"$prefix/bin/pipelinify-nvcc" --version | grep -q '^pipelinify [0-9]' ||
  fail 'the launcher does not run'

if ! command -v dpkg-shlibdeps >/dev/null; then
  echo "no .deb tried: dpkg-shlibdeps (dpkg-dev) is not installed"
  exit 0
fi
(cd "$scratch" && cpack -G DEB --config "$build/CPackConfig.cmake" \
  -B "$scratch/deb" >>"$scratch/log" 2>&1) || { tail "$scratch/log"; fail cpack; }
deb=$(echo "$scratch"/deb/*.deb)
needs=$(dpkg-deb -f "$deb" Depends)
echo "$needs"
for package in libclang1-19 libisl23 libpcre2-8-0 libjansson4 libnettle8 libc6; do
  # libclang may be another version where another one was built with.
  [ "$package" != libclang1-19 ] || package='libclang1-[0-9]*'
  grep -q "$package" <<<"$needs" || fail "the package does not need $package"
done
# It runs from elsewhere: nothing of the source or build tree is needed.
dpkg-deb -x "$deb" "$scratch/root"
readelf -d "$scratch/root/usr/bin/pipelinify" | grep -qi 'r.*path' &&
  fail "the packaged program has a run path"
printf '#include <cuda_runtime.h>\n' >"$scratch/k.cu"
sed -n '/^    "/{s/^    "//;s/\\n".*//;p}' "$here/example.c" >>"$scratch/k.cu"
(cd "$scratch" && "$scratch/root/usr/bin/pipelinify" -q --cuda-path= \
  --variant=ldg k.cu >k.out)
grep -q 'tile_stage\[2\]' "$scratch/k.out" || fail "the packaged program"
"$scratch/root/usr/bin/pipelinify" --explain PL3001 | grep -q 'PL3001' ||
  fail "the pages are not inside"
echo fine
