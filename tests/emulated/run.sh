#!/bin/sh
# The emulator's own proof: correct pipelines pass, each mutant is caught with
# the verdict named here, and emulated matrix instructions give plain products.
# Usage: run.sh [EMUPROVE]
set -u
here=$(cd "$(dirname "$0")" && pwd)
prove=${1:-$here/../../build-emu/emuprove}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# mutant FILE NUMBER: writes FILE with that mutant chosen.
mutant() {
  printf '#define MUTANT %s\n#line 1 "%s"\n' "$2" "$1" \
    | cat - "$here/$1" >"$tmp/${1%.cu}.$2.cu"
  printf '%s=%s' "${1%.cu}.$2" "$tmp/${1%.cu}.$2.cu"
}

# expect_of KERNEL LABEL WORDS: the verdict is one of WORDS (separated by |). What
# blames the original has no LABEL ('') and stands there once.
expect_of() {
  got=$(sed -n "s/^emulated: $1: ${2:+$2: }\(.*\)/\1/p" "$tmp/out" | sed 's/ *(.*//')
  if [ -n "$got" ] && printf '%s\n' "$got" | grep -qEx "$3"; then
    printf 'ok       %-10s %-16s %s\n' "$1" "$2" "$got"
  else
    printf 'FAILED   %-10s %-16s %s, expected %s\n' "$1" "$2" "${got:-nothing}" "$3"
    sed 's/^/         | /' "$tmp/out" | head -20
    failed=1
  fi
}

expect() { expect_of bgemm "$1" "$2"; }

prove() {
  "$prove" "$@" --cache "$tmp/cache" >"$tmp/out" 2>&1
}

set --
for n in 0 1 2 3 4 5 6 7; do set -- "$@" "$(mutant bgemm_ldg.cu $n)"; done
for n in 0 1 2 3 4 5 6 7 8 9 10; do
  set -- "$@" "$(mutant bgemm_async.cu $n)"
done
for n in 0 1 2 3 4 5 6 7 8; do
  set -- "$@" "$(mutant bgemm_block.cu $n)"
done
prove "$here/bgemm.cu" "$@"
expect bgemm_ldg.0 equal
expect bgemm_ldg.1 race                        # no barrier in the loop
expect bgemm_ldg.2 race                        # one buffer used as two
expect bgemm_ldg.3 race                        # no exit barrier
expect bgemm_ldg.4 out-of-bounds               # prologue without its guard
expect bgemm_ldg.5 "uninitialised shared read|differs|race" # literal stage
expect bgemm_ldg.6 differs                     # sums in another order
expect bgemm_ldg.7 "divergence|race"           # barrier in divergent code
expect bgemm_async.0 equal
expect bgemm_async.1 in-flight                 # no wait
expect bgemm_async.2 in-flight                 # wait one too few
expect bgemm_async.3 "race|in-flight"          # no barrier after the wait
expect bgemm_async.4 in-flight                 # conditional commit
expect bgemm_async.5 "uninitialised shared read|differs|race|in-flight" # literal stage
expect bgemm_async.6 "race|in-flight"          # issue before the barrier
expect bgemm_async.7 out-of-bounds             # prologue without its guard
expect bgemm_async.8 "race|in-flight"          # no drain between batches
expect bgemm_async.9 "uninitialised shared read|differs|race|in-flight" # no zero fill
expect bgemm_async.10 out-of-bounds            # 8-byte copies, 4-byte aligned
expect bgemm_block.0 equal
expect bgemm_block.1 "race|fault"              # the state made anew while it is used
expect bgemm_block.2 "race|in-flight"          # no acquire
expect bgemm_block.3 "divergence|deadlock|fault|in-flight" # no commit
expect bgemm_block.4 "race|in-flight|uninitialised shared read" # no wait
expect bgemm_block.5 "uninitialised shared read|differs|race|in-flight" # literal stage
expect bgemm_block.6 "race|in-flight"          # release ahead of the use
expect bgemm_block.7 "divergence|deadlock|fault" # no release
expect bgemm_block.8 "divergence|deadlock|fault" # one thread leaves

# Threads that load alone, behind those that compute.
set --
for n in 0 1 2 3 4 5 6 7 8 9 10 11; do
  set -- "$@" "$(mutant bgemm_roles.cu $n)" --layers "bgemm_roles.$n=2"
done
prove "$here/bgemm.cu" "$@"
expect bgemm_roles.0 equal
expect bgemm_roles.1 race                      # those that load set the sums, too
expect bgemm_roles.2 "divergence|deadlock|fault" # half of them are waited for
expect bgemm_roles.3 "race|in-flight|fault"    # no acquire
expect bgemm_roles.4 "divergence|deadlock|fault|in-flight" # a tile is not committed
expect bgemm_roles.5 "race|in-flight|divergence|deadlock|fault" # no wait
expect bgemm_roles.6 equal                     # release ahead of the barrier
expect bgemm_roles.7 race                      # the computes of two tiles are not in order
expect bgemm_roles.8 "divergence|deadlock|fault" # a barrier for more threads
expect bgemm_roles.9 "divergence|deadlock|fault" # no release
expect bgemm_roles.10 race                     # sums are set while others read them
expect bgemm_roles.11 "divergence|deadlock"    # a barrier of the block beside those that load

# version FILE NUMBER: the same as mutant, with the macro VERSION.
version() {
  printf '#define VERSION %s\n#line 1 "%s"\n' "$2" "$1" \
    | cat - "$here/$1" >"$tmp/${1%.cu}.$2.cu"
  printf '%s=%s' "v$2" "$tmp/${1%.cu}.$2.cu"
}

prove "$here/product.cu" "wmma=$here/product_wmma.cu" "ptx=$here/product_ptx.cu"
for kernel in by_half by_bfloat by_tf32 by_int8; do
  expect_of $kernel wmma equal
  expect_of $kernel ptx equal
done
prove "$here/features.cu" "$(version features.cu 1)" "$(version features.cu 2)" \
  -I "$here"
for kernel in 'sum<64>' lab::copy; do
  expect_of "$kernel" v1 equal
  expect_of "$kernel" v2 equal
done

# Stages in dynamic shared memory: a launch that was not edited is trapped.
launches=$(find "$here/../../testdata/accept" -type d -name dynamic-tile-by-its-launches)
prove "$launches/kernel.cu" "edited=$launches/expected.ldg.cu" --smem edited=513 \
  "as-before=$launches/expected.ldg.cu" -k weigh
expect_of weigh edited equal
expect_of weigh as-before fault
prove "$launches/kernel.cu" "edited=$launches/expected.ldg.cu" \
  --smem 'edited=2 * ((smem + 127) / 128 * 128) + 1' \
  "as-before=$launches/expected.ldg.cu" \
  "twice=$launches/expected.ldg.cu" --smem 'twice=2 * smem' -k deep::pairs
expect_of deep::pairs edited equal
expect_of deep::pairs as-before fault
expect_of deep::pairs twice fault

# What another kernel of the file declares is no memory of this one.
prove "$here/neighbours.cu" "$(mutant neighbours.cu 0)" \
  "$(mutant neighbours.cu 1)" "$(mutant neighbours.cu 2)" \
  "$(mutant neighbours.cu 3)"
for kernel in turn 'lab::turn_all<float>' turn_last; do
  expect_of "$kernel" neighbours.0 equal
done
expect_of turn neighbours.1 "out-of-bounds|race" # into the helper's
expect_of 'lab::turn_all<float>' neighbours.2 out-of-bounds
expect_of turn_last neighbours.3 out-of-bounds

# Nor is one shared object of a kernel the end of another.
set --
for n in 0 1 2 3 4 5 6 7 8 9; do set -- "$@" "$(mutant apart.cu $n)"; done
prove "$here/apart.cu" "$@"
expect_of apart apart.0 equal
expect_of of_one_object apart.0 equal
for n in 1 2 3 4 5 6 7; do
  expect_of apart apart.$n out-of-bounds
done
expect_of of_one_object apart.8 out-of-bounds
expect_of of_one_object apart.9 out-of-bounds

# Kernels that do not end, trap, crash, or are faulty from the start.
prove "$here/faults.cu" "$(mutant faults.cu 1)" "$(mutant faults.cu 2)" \
  "$(mutant faults.cu 3)" "$(mutant faults.cu 4)" "$(mutant faults.cu 5)" \
  "$(mutant faults.cu 6)" "$(mutant faults.cu 7)" "$(mutant faults.cu 8)" \
  "$(mutant faults.cu 9)" "$(mutant faults.cu 10)" \
  "$(mutant faults.cu 11)" "$(mutant faults.cu 12)" \
  "$(mutant faults.cu 13)" "$(mutant faults.cu 14)" --timeout 1
expect_of scale faults.1 fault                 # endless
expect_of scale faults.2 fault                 # trap
expect_of scale faults.3 "fault|out-of-bounds" # wild pointer
expect_of scale faults.4 build-failed
expect_of scale faults.5 "GPU-only: inline asm"
expect_of scale faults.6 divergence            # half of the block never comes
expect_of scale faults.7 equal                 # a warp's own exchange
expect_of scale faults.8 out-of-bounds          # memcpy of too much
expect_of scale faults.9 race                   # memset of others' cells
expect_of scale faults.10 equal                 # memcpy and memset of its own
expect_of scale faults.11 out-of-bounds         # a copy of the thread's own
expect_of scale faults.12 equal                 # four numbers from their own place
expect_of scale faults.13 out-of-bounds         # from between two such places
expect_of scale faults.14 out-of-bounds         # far behind, over what the emulator needs
expect_of racy '' original-faulty
expect_of unstable '' nondeterministic

# The same value twice is no race, as little by copies as by stores.
set --
for n in 0 1 2 3; do set -- "$@" "$(mutant twice.cu $n)"; done
prove "$here/twice.cu" "$@"
expect_of twice twice.0 equal
expect_of twice twice.1 "race|in-flight"       # two values for a cell
expect_of twice twice.2 in-flight              # wait one too few
expect_of twice twice.3 in-flight              # half of the copies never awaited

# What the original reads unwritten is its own; what hangs on it proves nothing.
prove "$here/unwritten.cu" "$(mutant unwritten.cu 0)" "$(mutant unwritten.cu 1)"
expect_of shown '' original-faulty
expect_of asked '' original-faulty
expect_of never '' original-faulty
expect_of hidden unwritten.0 equal
expect_of hidden unwritten.1 differs
exit $failed
