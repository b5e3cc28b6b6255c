#!/bin/sh
# build.sh [--build DIR] [OUT]: the Python wheel, from nothing: configures and
# builds in DIR (build/wheel), puts the wheel into OUT (DIR/wheel/dist) and prints
# its path. In a DIR that is configured already only what is missing is built.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/wheel
[ "${1:-}" != --build ] || { build=$2; shift 2; }
out=${1:-$build/wheel/dist}

[ -e "$build/CMakeCache.txt" ] ||
  cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DPL_TESTS=OFF >&2
cmake --build "$build" --target wheel -j "$(nproc)" >&2
wheel=$(ls "$build"/wheel/dist/pipelinify-*.whl)
mkdir -p "$out"
[ "$(cd "$out" && pwd)" = "$(cd "$build/wheel/dist" && pwd)" ] || cp "$wheel" "$out"
echo "$out/${wheel##*/}"
