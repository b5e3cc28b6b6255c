#!/usr/bin/env bash
# shadow.sh BIN DIR              packs the programs of testdata/programs, and
#                                some of them with planted faults
# sh DIR/run-all [-a ARCH] [OUT] where nvcc and a GPU are: runs all of them
# shadow.sh --check BIN DIR OUT  was all found that has to be?
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../testdata/programs

# name | program | options, -- and flags for nvcc | what sed does to the rewritten source |
# exit code | a line of the report
cases() {
  cat <<'EOF'
device-variables|device-variables|||0|weighted: equal \(4 of 4 launches
graph-capture|graph-capture|||4|captured: not proven: its stream is being captured
graph-direct|graph-capture|||4|direct: equal \(1 of 1
launch-calls|launch-calls|||0|rows_of: equal \(2 of 2
launch-cooperative|launch-calls|||0|rounds: equal \(1 of 1
macros|macros|||0|program.cu:6[0-9]: moving_sum: equal \(1 of 1
managed-pool|managed-pool|||0|smooth: equal
namespaces|namespaces|||0|physics::forces: equal \(1 of 1
unnamed|namespaces|||0|\(anonymous namespace\)::count: equal
overloads|namespaces|||0|total: equal
same-result|same-result|||4|nothing_new: not proven: equal, but
same-result-fresh|same-result|||4|fresh: equal \(5 of 20
streams|streams|||0|gemm_tile: equal \(5 of 8
struct-argument|struct-argument|||0|gemm_struct: equal
pointers-in-memory|struct-argument|||0|gemm_batched: equal
templates|templates|||0|multiply<16, float>: equal
templates-idle|templates|||0|multiply<8, float>: not launched
per-thread|streams|-- --default-stream per-thread||0|gemm_tile: equal
relocatable|device-variables|-- -rdc=true||0|weighted: equal \(4 of 4
relocatable-names|namespaces|-- -rdc=true||0|count: equal
two-archs|templates|-- -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=sm_90||0|multiply<16, float>: equal
only-ptx|streams|-- -gencode arch=compute_80,code=compute_80||0|gemm_tile: equal
cp-async|struct-argument|--variant=cp.async --stages=3||0|gemm_struct: equal
cp-async-streams|streams|--variant=cp.async --stages=4 -- -O3||0|gemm_tile: equal
ldg-single|templates|--variant=ldg-single||0|multiply<16, float>: equal
one-check|streams|--max-checks=1||0|gemm_tile: equal \(1 of 8
atomics|atomics|||4|add_up: not proven: the original disagrees with itself
atomics-count|atomics|||4|tally: equal
two-files|two-files|--build=make\ -C\ user\ -s\ SOURCE={}\ app --run=user/app||0|program.cu:18: blend: equal \(5 of 12
two-files-direct|two-files|--build=make\ -C\ user\ -s\ SOURCE={}\ app --run=user/app||0|program.cu: blend: equal \(4 of 4
large|large|--run={}\ 268435456||0|neighbours: equal
only-one-kernel|macros|-k largest||0|largest: equal
device-function|device-function|||0|once: equal
device-function-both|device-function|||0|scaled: equal
fault-device-function|device-function||s/sum += tile/sum += 1e-2f + tile/|3|once: differs: out
fault-async|streams|--variant=cp.async --stages=3|s/__pipeline_wait_prior(stages - 2)/__pipeline_wait_prior(stages)/|3|gemm_tile: differs
fault-count-atomics|atomics||s/atomicAdd(&bins\[threadIdx.x % 8\], found)/atomicAdd(\&bins[0], found)/|3|tally: differs: bins\[0\]
fault-extern|two-files|--build=make\ -C\ user\ -s\ SOURCE={}\ app --run=user/app|s/= sum;/= sum + 1;/|3|blend: differs: out\[0\]
fault-sum|streams||s/sum += as/sum += 1e-3f + as/|3|gemm_tile: differs: c\[
fault-last-tile|templates||s/for (; k < n; k += T)/for (; k + T < n; k += T)/|3|multiply<16, float>: differs: argument|c\[
fault-barrier|streams||s/__syncthreads();/__syncwarp();/|3|gemm_tile: differs
fault-variable|device-variables||s/result\[threadIdx.x\] += sum;/result[threadIdx.x] += sum + 1;/|3|differs: result\[
fault-count|device-variables||s/rounds++;/rounds += 2;/|3|differs: rounds\[0\]: 2, should be 1
fault-behind-global|device-variables||s/= sum;/= sum + 1;/|3|weighted: differs
fault-struct|struct-argument||s/p.scale \* sum/p.scale * sum + 1/|3|gemm_struct: differs
fault-batch|struct-argument||s/out\[row \* n + col\] = sum;/out[row * n + col] = sum + (blockIdx.z == 2);/|3|gemm_batched: differs
fault-managed|managed-pool||s/= sum + (float)blockIdx.x;/= sum;/|3|smooth: differs
fault-unwritten|streams||s/  c\[row \* n + col\] = sum;/  if (col) c[row * n + col] = sum;/|3|gemm_tile: differs
fault-input|streams||s/  c\[row \* n + col\] = sum;/& if (sum != 0.125f) ((float *)b)[3] = 7;/|3|gemm_tile: differs: b\[3\]: 7, should be
fault-trap|streams||s/  c\[row \* n + col\] = sum;/  __trap();/|3|gemm_tile: crash
fault-address|streams||s/  c\[row \* n + col\] = sum;/  c[(1ll << 44) + col] = sum;/|3|gemm_tile: crash
fault-endless|streams||s/  c\[row \* n + col\] = sum;/  while (clock64()) ;/|3|gemm_tile: timeout
fault-no-launch|streams||s/__global__ void gemm_tile/__global__ void __launch_bounds__(64) gemm_tile/|3|gemm_tile: launch-failed
fault-no-build|streams||s/float sum/float summ/|3|
EOF
}

# The script that runs all of them, several at once.
write_run_all() {
  cat > "$1/run-all" <<'EOF'
#!/bin/sh
# run-all [-a ARCH] [OUT]
here=$(cd "$(dirname "$0")" && pwd)
arch=native
[ "${1-}" != -a ] || { arch=$2; shift 2; }
out=${1:-$here}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit
if [ ! -f "$here/pl_shadow.so" ]; then
  set -- "$here"/*/shadow/pl_shadow.cpp
  g++ -std=c++17 -O2 -shared -fPIC -fvisibility=hidden \
    -o "$here/pl_shadow.so" "$1" -ldl || exit
fi
one() {
  mkdir -p "$2/$1" "$here/$1/build"
  cp "$here/pl_shadow.so" "$here/$1/build/"
  cd "$here/$1" || exit
  sh ./run -a "$arch" -o "$2/$1" > "$2/$1/log" 2>&1
  echo $? > "$2/$1/exit"
}
for dir in "$here"/*/; do
  (one "$(basename "$dir")" "$out") &
done
wait
EOF
}

pack() {
  bin=$(realpath "$1") dir=$(realpath -m "$2")
  mkdir -p "$dir"
  while IFS='|' read -r name program flags edit _; do
    eval "set -- $flags"
    "$bin" validate -q --no-config --program="$programs/$program/program.cu" \
      --prepare="$dir/$name" "$@" || exit
    [ ! -f "$programs/$program/Makefile" ] ||
      cp -r "$programs/$program" "$dir/$name/user"
    # an endless kernel has not to be waited for
    echo 'timeout 10' >> "$dir/$name/limits"
    [ -z "$edit" ] || plant "$dir/$name/pipelined/program.cu" "$edit"
  done < <(cases)
  write_run_all "$dir"
}

plant() {
  cp "$1" "$1.old"
  sed -i "$2" "$1"
  ! cmp -s "$1" "$1.old" || { echo "the fault is not in $1"; exit 1; }
  rm "$1.old"
}

check() {
  bin=$(realpath "$1") out=$3 failed=0
  while IFS='|' read -r name _ _ _ code line; do
    got=$(cat "$out/$name/exit")
    report=$("$bin" validate --results="$out/$name" 2>&1)
    said=$?
    if [ "$got" != "$code" ] || [ "$said" != "$code" ] && [ -n "$line" ] ||
      ! grep -qE "$line" <<< "$report"; then
      printf 'MISSED: %s: exit %s, report %s, should be %s: %s\n%s\n' "$name" \
        "$got" "$said" "$code" "$line" "$report"
      failed=1
    else
      printf 'found: %s: %s\n' "$name" "$(grep -E -m 1 "$line" <<< "$report")"
    fi
  done < <(cases)
  exit "$failed"
}

case ${1-} in
  --check) shift; check "$@" ;;
  *) pack "${1:?program}" "${2:?directory}" ;;
esac
