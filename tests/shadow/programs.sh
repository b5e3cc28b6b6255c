#!/usr/bin/env bash
# programs.sh PIPELINIFY SOURCES: programs of testdata/programs are shadowed and
# built, one of them by the script of a packed directory. Without a GPU nothing
# they ask of the runtime goes well, but every launch has to arrive, and to say
# where it stands.
set -u
bin=$(realpath "$1") root=$(realpath "$2")
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit
failed=0

pack() {
  "$bin" validate -q --no-config --prepare="$1" \
    --program="$root/testdata/programs/$1/program.cu"
}

# arrive NAME PROGRAM LAUNCH...: what the program's launches say.
arrive() {
  name=$1 program=$2
  shift 2
  PIPELINIFY_SHADOW=$scratch "$program" 2>&1 > /dev/null |
    grep '^line' > "$name.got"
  printf 'line %s\n' "$@" > "$name.expected"
  diff -u "$name.expected" "$name.got" || failed=1
}

g++ -I"$root/templates/shadow" -shared -fPIC -o pl_shadow.so \
  "$root/tests/shadow/launches.cpp" || exit

pack launch-calls && sh launch-calls/run -a sm_90 build > log 2>&1 || {
  cat log
  echo 'launch-calls: not built'
  exit 1
}
for file in pipelined.fatbin pipelined.ptx program.ptx pl_shadow.so; do
  [ -s "launch-calls/build/$file" ] || { echo "$file is missing"; failed=1; }
done
arrive launch-calls launch-calls/build/program \
  '0: plain, grid 1,1,1, block 64,1,1, shared 102400' \
  '0: cooperative, grid 2,1,1, block 64,1,1, shared 0' \
  '0: extended, grid 1,1,1, block 64,1,1, shared 256'

pack namespaces
nvcc -arch=sm_90 -O0 -o namespaces/program.out \
  namespaces/program/program.cu || failed=1
arrive namespaces namespaces/program.out \
  '83: plain, grid 8,1,1, block 128,1,1, shared 0' \
  '84: plain, grid 1,1,1, block 128,1,1, shared 0' \
  '85: plain, grid 1,1,1, block 128,1,1, shared 0' \
  '87: plain, grid 1,1,1, block 128,1,1, shared 0'

# Several forms to be timed: the device code of each is built, beside the program.
"$bin" bench -q --no-config --prepare=timed \
  --program="$root/testdata/programs/struct-argument/program.cu" &&
  sh timed/run -a sm_90 build > log 2>&1 || { cat log; failed=1; }
[ "$(wc -l < timed/forms)" -ge 3 ] || { echo 'fewer than three forms'; failed=1; }
while read -r form; do
  for file in "$form.fatbin" "$form.ptx"; do
    [ -s "timed/build/$file" ] || { echo "$file is missing"; failed=1; }
  done
done < timed/forms
exit "$failed"
