#!/bin/sh
# Pairs of kernels: what `pipelinify compare` says of each, in both orders, on the CPU.
# Usage: run.sh PIPELINIFY
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?pipelinify}")
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cp -R "$here/pairs/." "$box"
cd "$box" || exit 2
failed=0

compare() { "$program" compare --backend=cpu --cuda-path= "$@" >out 2>&1; }

# expect EXIT TEXT -- WORDS...: how it ends, and a text that its output holds; several
# texts are parted by @.
expect() {
  want=$1 texts=$2
  shift 3
  compare "$@"
  code=$?
  missing=''
  old_ifs=$IFS
  IFS=@
  for text in $texts; do
    grep -qF -- "$text" out || missing="$missing [$text]"
  done
  IFS=$old_ifs
  if [ $code = "$want" ] && [ -z "$missing" ]; then
    printf 'ok       %s\n' "$*"
  else
    printf 'FAILED   %s: exit %s, expected %s; missing:%s\n' "$*" $code "$want" "$missing"
    sed 's/^/         | /' out
    failed=1
  fi
}

# A length that the grid does not name: threads ask whether their elements are there, so
# that a part of a tile is left over. Of two kernels one that asks so is enough.
as='as lengths of lengths_fast.cu'
expect 0 "$as: equal (16 size sets@length=16,29,48,77" -- lengths.cu lengths_fast.cu
expect 3 "$as: differs@length=29" -- lengths.cu lengths_fast.cu -- -DFAULT=1
expect 3 'as lengths of lengths.cu: differs' -- lengths_fast.cu lengths.cu -- -DFAULT=1

# Other blocks, dynamic shared memory, a template, helpers and a macro under the same
# names with other meanings; the second file's sizes are run too.
as='as gemm_fast<2> of gemm_fast.cu'
expect 0 "emulated: gemm: $as: equal (7 size sets" -- gemm.cu gemm_fast.cu
expect 0 "emulated: gemm_fast<2>: as gemm of gemm.cu: equal" -- gemm_fast.cu gemm.cu
expect 3 "$as: race@: race on 'dynamic shared memory' byte@block 0,0" -- \
  gemm.cu gemm_fast.cu -- -DFAULT=1
expect 3 "$as: differs@C[833]: 1, should be 0 (1 of 1320 differ) [M=33 N=40 K=0;@in gemm_fast.cu thread 129 of block 1,2 writes it last: gemm_fast.cu:60@in gemm.cu thread 65 of block 2,1 writes it last: gemm.cu:28@'--replay=M=33 N=40 K=0; seed=3 threads=@copies=@ -- -DFAULT=2" -- \
  gemm.cu gemm_fast.cu -- -DFAULT=2
expect 3 "reads before any write: 'dynamic shared memory' byte 128 (thread 128)" -- \
  gemm.cu gemm_fast.cu -- -DFAULT=3
expect 3 "$as: divergence@gemm_fast.cu:51: 96 of 256 threads wait at this barrier, and the others never come: 160 (threads 96 to 255) at the barrier of a part of the block at line 47" -- \
  gemm.cu gemm_fast.cu -- -DFAULT=4
expect 3 "$as: out-of-bounds@gemm_fast.cu:60: out of bounds of 'C' byte 2560" -- \
  gemm.cu gemm_fast.cu -- -DFAULT=5
# The faulty one first: it is the one that is to blame, once.
expect 3 "emulated: gemm_fast<2>: original-faulty@original: gemm_fast.cu:43: race" -- \
  gemm_fast.cu gemm.cu -- -DFAULT=1

for fault in 3 4 5; do
  expect 3 'emulated: gemm_fast<2>: original-faulty' -- gemm_fast.cu gemm.cu -- -DFAULT=$fault
done
expect 3 'gemm_fast<2>: as gemm of gemm.cu: differs@should be 1 (1 of' -- \
  gemm_fast.cu gemm.cu -- -DFAULT=2

# Asynchronous copies by hand: the second file says no launch, and has the first one's.
expect 0 'dots: as dots of dots_async.cu: equal (10 size sets' -- dots.cu dots_async.cu
expect 0 'dots: as dots of dots_async.cu: equal' -- dots.cu dots_async.cu -- -DSTAGES=5
expect 0 'dots: as dots of dots.cu: equal' -- dots_async.cu dots.cu
expect 3 "dots: as dots of dots_async.cu: in-flight@a copy is in flight to 'as'" -- \
  dots.cu dots_async.cu -- -DLEFT=2

# A finding is found again by its own words, and gone without the fault.
run='M=33 N=40 K=7; seed=4 threads=backward copies=early'
expect 3 "differs (1 size sets, 1 runs)@C[833]: -0.63115263, should be -1.63115263" -- \
  gemm.cu gemm_fast.cu "--replay=$run" -- -DFAULT=2
expect 0 "equal (1 size sets, 1 runs)" -- gemm.cu gemm_fast.cu "--replay=$run"
expect 3 "$run" -- gemm.cu gemm_fast.cu "--replay=$run" -- -DFAULT=2
compare gemm.cu gemm_fast.cu -- -DFAULT=1
again=$(sed -n 's/^  again: pipelinify //p' out)
eval "set -- $again"
[ $# -gt 0 ] && "$program" "$@" >out 2>&1
if [ $? = 3 ] && grep -q 'race on .dynamic' out; then
  echo 'ok       the printed command finds it again'
else
  echo "FAILED   $again"
  cat out
  failed=1
fi
expect 2 "no launch has these sizes" -- gemm.cu gemm_fast.cu \
  '--replay=M=33 N=40; seed=4 threads=backward copies=early'
expect 2 "'--replay' needs 'SIZES; seed=N" -- gemm.cu gemm_fast.cu --replay=M=33

# A shared header, headers of one name in two directories, constants, device variables
# and extern "C" functions of one name; struct elements. Some sizes are not the second's.
expect 0 'emulated: turn: as turn of rows/fast/kernel.cu: equal (2 size sets' -- \
  rows/simple.cu rows/fast/kernel.cu
expect 0 'as turn of rows/fast/kernel.cu: equal' -- \
  rows/simple.cu rows/fast/kernel.cu -k turn

# Templates: with the first file's arguments, others, and of another type.
of='of prefix_warps.cu'
expect 0 "lab::prefix<int, 64>: as prefix_warps<int, 64> $of: equal" -- \
  prefix.cu prefix_warps.cu
expect 0 "as prefix_warps<int, 64> $of: equal" -- prefix.cu prefix_warps.cu \
  -k 'lab::prefix<int, 64>=prefix_warps<int, 64>'
expect 0 'prefix_warps<int, 64>: as lab::prefix<int, 64> of prefix.cu: equal' -- \
  prefix_warps.cu prefix.cu
expect 3 "as prefix_warps<int, 128> $of: differs@in prefix_warps.cu nothing writes it" -- \
  prefix.cu prefix_warps.cu -k 'prefix<int, 64>=prefix_warps<int, 128>'
expect 2 "other parameters@parameter 1: 'int*' in prefix.cu, 'unsigned int*' in prefix_warps.cu" -- \
  prefix.cu prefix_warps.cu -k 'prefix=prefix_warps<unsigned, 64>'

# One file.
expect 0 'flip: as flip_loop: equal (2 size sets' -- two.cu -k flip=flip_loop
expect 0 'flip_loop: as flip: equal (2 size sets' -- two.cu -k flip_loop=flip
expect 3 'out[70]: 0xff, should be 0xf9 (1 of 100 differ)@nothing writes it' -- \
  two.cu -k flip=flip_most
expect 3 "flip: as flip_racing: race@two.cu:36: race on 'last'" -- two.cu -k flip=flip_racing
expect 3 "flip: as flip_spilling: race@race between blocks on 'out' byte 64 (thread 0; another block writes it at" -- \
  two.cu -k flip=flip_spilling
expect 3 'emulated: flip_racing: original-faulty' -- two.cu -k flip_racing=flip

# A barrier of fewer threads than come to it; what the kernel writes read past its writes.
for by in named global; do
  expect 0 "relay: as relay_$by: equal (2 size sets" -- relay.cu -k relay=relay_$by
done
expect 3 "relay: as relay_halves: race@race on 's' byte" -- relay.cu -k relay=relay_halves
for by in cached assembled; do
  expect 3 "relay: as relay_$by: race@for what the kernel does not change, of 'out' byte" -- \
    relay.cu -k relay=relay_$by
done

# What cannot be compared says why.
expect 2 "two.cu:24: error: 'flip_counted' has other parameters than 'flip' of two.cu:9: parameter 3 ('n') is 'unsigned int', there 'int'" -- \
  two.cu -k flip=flip_counted
expect 2 "has other parameters than 'flip' of two.cu:9: 4 parameters, there 3" -- \
  two.cu -k flip=flip_by
expect 2 "it has 7 kernels, say which with -k NAME or -k A=B: 'flip', 'flip_loop'" -- \
  two.cu two.cu
expect 2 'two kernels of one file are named with -k A=B' -- two.cu -k flip
expect 2 "no kernel 'flap'; it has: 'flip'" -- two.cu -k flip=flap
expect 2 "it has no kernel" -- gemm.cu scan.cuh
expect 2 "none.cu: No such file or directory" -- gemm.cu none.cu

# Warps of two roles, by a pipeline and by barriers that some threads only arrive at.
for by in by_pipeline by_barriers; do
  expect 0 "as $by of columns_roles.cu: equal (2 size sets" -- \
    columns.cu columns_roles.cu -k columns=$by
  expect 0 "emulated: $by: as columns of columns.cu: equal" -- \
    columns_roles.cu columns.cu -k $by=columns
done
roles='columns.cu columns_roles.cu -k columns='
expect 3 "in-flight@a copy is in flight to 'ring' byte 0" -- ${roles}by_pipeline -- -DFAULT=1
expect 3 'differs@out[0]: @(192 of 192 differ) [w=192 n=40' -- ${roles}by_pipeline -- -DFAULT=2
expect 3 'divergence@columns_roles.cu:64: 32 of 64 threads wait at this barrier, and the others never come: 32 (threads 32 to 63) at the barrier at line 55' -- \
  ${roles}by_barriers -- -DFAULT=3
expect 3 "divergence@race on 's'" -- ${roles}by_barriers -- -DFAULT=4
expect 3 'differs@thread 0 of block 0 writes it last: columns_roles.cu:69' -- \
  ${roles}by_barriers -- -DFAULT=5

# No description: the programs launch them, each in its own way.
expect 0 'program_tiled.cu:23: note: launch taken from the host code@emulated: smooth: as smooth_tiled of program_tiled.cu: equal (3 size sets' -- \
  program_simple.cu program_tiled.cu
expect 0 'emulated: smooth_tiled: as smooth of program_simple.cu: equal' -- \
  program_tiled.cu program_simple.cu
sed 's/t\[threadIdx.x + 2\];/t[threadIdx.x + 1];/' program_tiled.cu >program_wrong.cu
expect 3 'differs@y[0]: ' -- program_tiled.cu program_wrong.cu
sed 's/^  __syncthreads();//' program_tiled.cu >program_racing.cu
expect 3 'as smooth_tiled of program_racing.cu: race' -- program_simple.cu program_racing.cu
# A launch that is a guess, and the first kernel wrong for it: nothing is proven.
expect 4 'emulated: smooth_tiled: original-faulty@not proven: what was taken is not how the program launches it, or the kernel is wrong' -- \
  program_racing.cu program_simple.cu
sed '/^int main/,$d' program_simple.cu >bare.cu
expect 4 'no launch description of either kernel' -- bare.cu bare.cu
expect 0 'emulated: smooth: as smooth_tiled of program_tiled.cu: equal' -- \
  bare.cu program_tiled.cu
exit $failed
