#!/bin/sh
# What `compare --prepare` packs for a GPU: each kernel's own file, headers, flags, blocks
# and shared memory. Where nvcc is, it compiles, and the descriptions fit the kernels.
# Usage: bundle.sh PIPELINIFY
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?pipelinify}")
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cp -R "$here/pairs/." "$box"
cd "$box" || exit 2
failed=0

check() {
  if [ "$2" = 0 ]; then
    printf 'ok       %s\n' "$1"
  else
    printf 'FAILED   %s\n' "$1"
    failed=1
  fi
}
has() { grep -qxF -- "$2" "b/cases/$1" 2>/dev/null; check "$1 has '$2'" $?; }
pack() { "$program" compare --cuda-path= --prepare=b "$@" 2>err; check "packed: $*" $?; }

pack gemm.cu gemm_fast.cu -- -DFAULT=0 -Irows
grep -qx 'b: 1 proofs; where nvcc and a GPU are: sh b/run' err
check 'says where it is to be run' $?
pack rows/simple.cu rows/fast/kernel.cu
pack two.cu -k flip=flip_loop
pack prefix.cu prefix_warps.cu -k 'prefix=prefix_warps<int, 64>'
[ "$(ls b/cases | wc -l)" = 4 ]
check 'four cases in one bundle' $?

gemm=gemm-gemm-as-gemm_fast
has $gemm/gemm_fast.cu '#include "src/gemm_fast.cu"'
has $gemm/gemm_fast.cu 'PL_ENTRY(0, (&gemm_fast<2>))'
has $gemm/original.cu 'PL_ENTRY(0, (&gemm))'
has $gemm/plan 'shape-of gemm_fast 2 2 1 32 8 1 2560'
has $gemm/plan 'set M=64 N=64 K=64'
has $gemm/gemm_fast.flags -DFAULT=0
has rows-simple-turn-as-turn/kernel.cu '#include "src/fast/kernel.cu"'
cmp -s rows/fast/tile.cuh b/cases/rows-simple-turn-as-turn/src/fast/tile.cuh
check "each file's own header" $?
cmp -s two.cu b/cases/two-flip-as-flip_loop/src/two.flip_loop.cu
check 'one file is there twice, so that a change of either is seen' $?
"$program" compare --cuda-path= --prepare=b two.cu -k flip=flip_by 2>err
[ $? = 2 ] && grep -q 'other parameters' err
check 'other parameters are refused' $?
"$program" compare --results=b >out 2>&1
[ $? = 2 ]
check 'results that are not there are an error' $?

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "$nvcc" ]; then
  sh b/run --nvcc "$nvcc" -a sm_80 -j 2 -q build check report >out 2>&1
  [ $? = 4 ] && [ ! -s out ] # compiled, and not run
  check 'all compile, and the descriptions fit' $?
  [ -s out ] && sed 's/^/         | /' out
  [ "$(find b/build -name '*.so' | wc -l)" = 8 ]
  check 'eight objects' $?
  "$program" compare --results=b >out 2>&1
  [ $? = 4 ] && [ "$(grep -c ': not-run' out)" = 4 ]
  check 'what nothing has run on a GPU is not proven' $?
else
  echo 'skipped  no nvcc: nothing was compiled'
fi
exit $failed
