#!/usr/bin/env bash
# compile.sh BIN ROOT: a bundle of a few cases is complete, and all of it
# compiles where there is nvcc. Without a GPU nothing counts as proven.
set -u
bin=${1:?program} root=${2:?root}
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
failed=0

fail() { echo "FAILED: $*"; failed=1; }

cases=(sgemm-tile16 gemm-template-types matmul-ifelse-zero carved-and-used-around)
"$root/tests/gpu/prepare.sh" "$bin" "$temp/b" "${cases[@]}" 2> "$temp/said" ||
  fail "prepare: $(cat "$temp/said")"
for case in "${cases[@]}"; do
  for file in original.cu plan pairs flags src/kernel.cu; do
    [ -f "$temp/b/cases/$case/$file" ] || fail "$case has no $file"
  done
done
grep -q '"id": "sgemm-tile16"' "$temp/b/manifest.json" || fail "manifest.json"
sh -n "$temp/b/run" || fail "run is no shell script"
grep -rIlE "$root|$temp" "$temp/b" && fail "a path of this machine is in it"

PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc > /dev/null; then
  [ "$failed" = 0 ] || exit 1
  echo "skipped: no nvcc"
  exit 77
fi
sh "$temp/b/run" --arch sm_80 -j 2 build > "$temp/log" 2>&1 ||
  fail "build: $(cat "$temp/log")"
grep 'build failed' "$temp/log" && failed=1
for unit in "$temp"/b/cases/*/*.cu; do
  id=$(basename "$(dirname "$unit")") form=$(basename "$unit" .cu)
  [ -f "$temp/b/build/$id/$form.so" ] || fail "$id/$form.so is missing"
done
sh "$temp/b/run" --arch sm_80 check > "$temp/log" 2>&1 ||
  fail "check: $(cat "$temp/log")"
if ! nvidia-smi > /dev/null 2>&1; then
  sh "$temp/b/run" --arch sm_80 validate > "$temp/log" 2>&1
  [ $? = 4 ] || fail "validate without a GPU does not end with 4"
  sh "$temp/b/run" --arch sm_80 report > "$temp/log" 2>&1
  [ $? = 4 ] || fail "a report without results does not end with 4"
  grep -q '"verdict": "equal"' "$temp/b/results.json" && fail "proven by nothing"
fi
exit "$failed"
