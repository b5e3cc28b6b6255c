#!/usr/bin/env bash
# here.sh BIN ROOT: validate, bench and tune on "this machine": doubles stand in
# for nvcc, nvidia-smi and the runner (double.cpp), the rest is what users run.
# What is asked: is each piece of work done once, on one GPU, also when a tune is
# killed; and is nothing believed that has changed since.
set -u
bin=$(realpath "${1:?program}") root=$(realpath "${2:?root}")
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
cxx=${CXX:-g++}
command -v "$cxx" > /dev/null || { echo "skipped: no $cxx"; exit 77; }
failed=0
fail() { echo "FAILED: $*"; failed=1; }

mkdir "$temp/bin"
"$cxx" -std=c++17 -Wall -Wextra -Werror -I"$root/templates/harness" \
  -o "$temp/runner" "$root/tests/gpu/double.cpp" || exit 1
cat > "$temp/bin/nvidia-smi" <<'END'
#!/bin/sh
case $1 in -L) echo "GPU 0: Made-up (UUID: GPU-0)" ;; *) echo 9.0 ;; esac
END
# The object is what -o names; the runner is the one that is not shared.
cat > "$temp/bin/nvcc" <<'END'
#!/bin/sh
shared=no flags=$*
for word; do [ "$word" = -shared ] && shared=yes; source=$word; done
while [ "$1" != -o ]; do shift; done
case $shared in
  yes) echo "nvcc $(basename "$PWD") ${3%.cu}" >> "$PL_DOUBLE_LOG"; echo "$flags" > "$2" ;;
  no) cp "$PL_DOUBLE_RUNNER" "$2" ;;
esac
END
chmod +x "$temp/bin"/*
export PATH=$temp/bin:$PATH XDG_CACHE_HOME=$temp/cache
export PL_DOUBLE_LOG=$temp/log PL_DOUBLE_RUNNER=$temp/runner
export PL_DOUBLE_GPUS=2 PL_DOUBLE_MS=' ldg=9 cp.async-s3=8'
unset CUDA_VISIBLE_DEVICES CUDA_HOME CUDA_PATH
log=$PL_DOUBLE_LOG

sources=$temp/src
mkdir "$sources"
for name in sgemm-tile16 sgemm-tile32 wmma-64x64x16; do
  cp "$root"/testdata/accept/*/"$name/kernel.cu" "$sources/$name.cu"
done
echo 'int main() { return 0; }' > "$sources/host.cu"

# run WANTED-CODE WORDS...: the program, from an empty log
run() {
  wanted=$1
  shift
  : > "$log"
  "$bin" "$@" > "$temp/out" 2> "$temp/err"
  code=$?
  [ "$code" = "$wanted" ] ||
    fail "$*: exit $code, should be $wanted: $(cat "$temp/out" "$temp/err")"
}
said() { grep -qF -- "$1" "$temp/out" "$temp/err" || fail "not said: $1: $(cat "$temp/out" "$temp/err")"; }
# done_again PATTERN: pieces of the log that were done more than once
done_again() { grep "$1" "$log" | sed 's/ on .*//' | sort | uniq -d; }
results() { echo "$temp"/cache/pipelinify/gpu/*/bundle/results.json; }

# --- a directory, two GPUs
run 0 tune --cuda-path= "$sources"
said '4 files, 1 without a tile loop: 3 kernels: 3 are faster'
said 'sgemm-tile16.cu: sgemm_tile16: cp.async-s3, 1.250x'
[ -f "$sources/wmma-64x64x16.cu.pipelinify.json" ] || fail "no record"
grep -q '"gpu": "Made-up"' "$sources/wmma-64x64x16.cu.pipelinify.json" ||
  fail "a record without its GPU"
[ "$(grep -c '^bench' "$log")" = 3 ] || fail "not 3 launches timed"
[ "$(grep '^bench' "$log" | sed 's/.* on //' | sort -u | tr '\n' ' ')" = \
  '0 1 ' ] || fail "not both GPUs at work: $(cat "$log")"
[ -z "$(done_again .)" ] || fail "done twice: $(done_again .)"
grep -q 'nvcc .* cp.async-s7' "$log" || fail "depth 7 is missing"
grep 'nvcc src-wmma-64x64x16 cp.async-s[78]' "$log" &&
  fail "deeper than a multiprocessor has room for"
python3 - "$(results)" <<'END' || fail "a kernel on two GPUs"
import json, sys
rows = json.load(open(sys.argv[1]))["results"]
gpus = {}
for row in rows:
    gpus.setdefault(row["case"], set()).add(row["gpu"])
sys.exit(any(len(g) != 1 or None in g for g in gpus.values()))
END

# --- nothing is done again; a changed kernel is, alone
run 0 tune --cuda-path= "$sources"
[ ! -s "$log" ] || fail "done again: $(cat "$log")"
sed -i 's/^__global__/ &/' "$sources/sgemm-tile32.cu"
run 0 tune --cuda-path= "$sources"
grep -v sgemm-tile32 "$log" && fail "another kernel is done again"
grep -q 'nvcc src-sgemm-tile32 original' "$log" || fail "not built again"
grep -q '^bench src-sgemm-tile32' "$log" || fail "not timed again"
run 0 tune --cuda-path= --min-gain=30 "$sources"
said '0 are faster, 3 stay as they are'

# --- other sizes for the same text: proven again, not built again
run 0 tune --cuda-path= "$sources/sgemm-tile16.cu" \
  --launch="$(sed -n 's|^// pipelinify: ||p; s|^//   ||p' "$sources/sgemm-tile16.cu")"
run 0 tune --cuda-path= "$sources/sgemm-tile16.cu" \
  --launch="$(sed -n 's|^// pipelinify: ||p; s|^//   ||p' "$sources/sgemm-tile16.cu" | sed '/target/s/4096/2048/g')"
grep -q '^validate' "$log" || fail "proven with other sizes"
grep -q '^nvcc' "$log" && fail "built for other sizes"

# --- killed on the way, one GPU after the other
rm -rf "$temp/cache" "$sources"/*.json
: > "$log"
PL_DOUBLE_SLEEP=0.5 PL_DOUBLE_GPUS=1 "$bin" tune --cuda-path= "$sources" \
  > /dev/null 2>&1 &
tuner=$!
until [ "$(grep -c '^bench' "$log")" -ge 2 ] || ! kill -0 $tuner; do
  sleep 0.05
done
kill -9 $tuner
wait $tuner 2> /dev/null
[ -e "$sources/sgemm-tile16.cu.pipelinify.json" ] && fail "a record too early"
cp "$log" "$temp/before"
run 0 tune --cuda-path= "$sources"
grep -E '^(nvcc|validate)' "$log" && fail "built or proven again"
cat "$temp/before" >> "$log"
[ "$(grep '^bench' "$log" | sort -u | wc -l)" = 3 ] || fail "not all timed"
[ -z "$(done_again '^bench')" ] || fail "timed twice: $(done_again '^bench')"

# --- two at once: the second waits, and finds all done
cp "$sources/sgemm-tile16.cu" "$temp/one.cu"
: > "$log"
for i in 1 2; do
  PL_DOUBLE_SLEEP=0.3 "$bin" tune --cuda-path= "$temp/one.cu" \
    > "$temp/out$i" 2> "$temp/err$i" &
done
wait || fail "two at once"
grep -q 'another one is at work' "$temp"/err[12] || fail "none has waited"
[ -z "$(done_again .)" ] || fail "done by both: $(done_again .)"
cmp "$temp/out1" "$temp/out2" || fail "two answers"

# --- a case of which another GPU has timed a part is timed on one
two=$root/testdata/accept/templates/gemm-template-types/kernel.cu
cp "$two" "$temp/two.cu"
PL_DOUBLE_GPUS=1 run 0 tune --cuda-path= "$temp/two.cu"
launches=$(grep -c '^bench' "$log")
[ "$launches" -gt 1 ] || fail "not several launches"
part=$(ls "$temp"/cache/pipelinify/gpu/*/bundle/build/results/*two.1.bench)
rm "$part"
CUDA_VISIBLE_DEVICES=7 PL_DOUBLE_GPUS=1 run 0 tune --cuda-path= "$temp/two.cu"
# The double calls the first visible device GPU-0, whatever it is.
[ "$(grep -c 'on 7' "$log")" -ge 1 ] || fail "not on the visible GPU"
rm "$part"
sed -i 's/^gpu=.*/gpu=GPU-other/' "$(dirname "$part")"/*two.*.bench
PL_DOUBLE_GPUS=1 run 0 tune --cuda-path= "$temp/two.cu"
[ "$(grep -c '^bench' "$log")" = "$launches" ] ||
  fail "a kernel's launches on two GPUs: $(cat "$log")"

# --- another GPU: nothing holds
PL_DOUBLE_NAME=Other run 0 tune --cuda-path= "$sources"
[ "$(grep -c '^bench' "$log")" = 3 ] || fail "times of another GPU believed"
grep -q '^nvcc' "$log" && fail "built again for the same architecture"

# --- findings, validate, bench, no GPU
PL_DOUBLE_BAD=cp.async-s3 PL_DOUBLE_NAME=Third run 3 tune --cuda-path= "$sources/sgemm-tile16.cu"
said 'sgemm_tile16: ldg, 1.111x'
run 0 bench --cuda-path= "$sources/sgemm-tile32.cu"
run 0 tune --cuda-path= "$sources/sgemm-tile32.cu" # forms with launch bounds are new
grep -q '^nvcc .*-lb$' "$log" || fail "no launch bounds: $(cat "$log")"
grep '^nvcc' "$log" | grep -qv -e '-lb$' && fail "tune after bench: $(cat "$log")"
run 0 tune --cuda-path= "$sources/sgemm-tile32.cu"
[ ! -s "$log" ] || fail "tune after tune: $(cat "$log")"
run 0 bench --cuda-path= "$sources/sgemm-tile16.cu"
said 'cp.async-s3 '
said '1.250x'
run 0 bench --cuda-path= --report="$temp/bars.html" --report-format=html \
  "$sources/sgemm-tile16.cu"
grep -q 'sgemm_tile16' "$temp/bars.html" || fail "no page of bench"
run 0 validate --backend=gpu --report="$temp/r.json" --cuda-path= \
  "$sources/sgemm-tile16.cu"
python3 - "$temp/r.json" <<'END' || fail "$(cat "$temp/r.json")"
import json, sys
[row] = json.load(open(sys.argv[1]))["proofs"]
assert row["backend"] == "gpu" and row["proof"] == "equal", row
assert row["path"].endswith("/sgemm-tile16.cu") and row["exit"] == 0, row
END
said 'auto: equal (3 size sets)'
[ "$(grep -c '^nvcc' "$log")" = 2 ] || fail "more than the one form: $(cat "$log")"
PL_DOUBLE_BAD=auto PL_DOUBLE_NAME=Fourth run 3 validate --cuda-path= "$sources/sgemm-tile16.cu"
said 'emulated: sgemm_tile16: auto: equal'
said 'auto: differs'
for i in 1 2; do
  PL_DOUBLE_NEAR=auto PL_DOUBLE_NAME=Fifth run 3 validate --cuda-path= "$sources/sgemm-tile16.cu"
  said 'all within 0.001); equal with -fmad=false: nvcc fuses a product with its'
  [ "$i" = 1 ] || [ ! -s "$log" ] || fail "looked twice: $(cat "$log")"
  [ "$(cat "$temp/out" "$temp/err" | grep -o 'nvcc fuses' | wc -l)" = 1 ] ||
    fail "said twice: $(cat "$temp/out" "$temp/err")"
done
# --- two kernels of the user's: the second is the form
pairs=$root/tests/compare/pairs
PL_DOUBLE_NAME=Sixth run 0 compare --cuda-path= "$pairs/gemm.cu" "$pairs/gemm_fast.cu"
said 'emulated: gemm: as gemm_fast<2> of '
said 'GPU: pairs-gemm-gemm-as-gemm_fast: gemm: gemm_fast: equal ('
[ "$(grep -c '^nvcc' "$log")" = 2 ] || fail "not two compiled: $(cat "$log")"
PL_DOUBLE_NAME=Sixth run 0 compare --cuda-path= --backend=gpu --report="$temp/r.json" \
  "$pairs/gemm.cu" "$pairs/gemm_fast.cu"
[ ! -s "$log" ] || fail "done again: $(cat "$log")"
grep -q '"proof": "equal"' "$temp/r.json" && grep -q '"backend": "gpu"' "$temp/r.json" ||
  fail "$(cat "$temp/r.json")"
PL_DOUBLE_BAD=gemm_fast PL_DOUBLE_NAME=Seventh run 3 compare --cuda-path= --backend=gpu \
  "$pairs/gemm.cu" "$pairs/gemm_fast.cu"
said 'gemm: gemm_fast: differs'
PL_DOUBLE_NAME=Sixth run 2 compare --cuda-path= --backend=gpu "$pairs/two.cu" -k flip=flip_by
[ ! -s "$log" ] || fail "compiled though the parameters differ: $(cat "$log")"
export CUDA_VISIBLE_DEVICES=
run 4 compare --require-gpu --cuda-path= "$pairs/gemm.cu" "$pairs/gemm_fast.cu"
said 'GPU: skipped, no CUDA device'
run 4 tune --cuda-path= "$sources"
said 'not tuned: no CUDA device here'
run 4 bench --cuda-path= "$sources/sgemm-tile16.cu"
run 4 validate --require-gpu --cuda-path= "$sources/sgemm-tile16.cu"
said 'GPU: skipped, no CUDA device'
unset CUDA_VISIBLE_DEVICES

# --- few blocks: room for more stages
run 0 bench --cuda-path= --prepare="$temp/few" \
  "$root/testdata/accept/kernels/gemv-block-per-row/kernel.cu"
ls "$temp"/few/cases/*/cp.async-s7.cu > /dev/null ||
  fail "depth 7 for few blocks"

# --- packed on one machine, run on another, with results of its own
run 0 tune --cuda-path= --prepare="$temp/b" "$sources"
said '3 files, '
rm "$sources"/*.json
SLURM_CPUS_PER_TASK=3 bash "$root/docs/pipelinify-tune.sbatch" "$temp/b" \
  "$temp/o" -B "$temp/objects" > "$temp/out" 2>&1 ||
  fail "batch file: $(cat "$temp/out")"
said ', 3 at once'
run 0 tune --results="$temp/o"
[ -f "$sources/sgemm-tile16.cu.pipelinify.json" ] || fail "no record"

# --- progress on a terminal, and none with -q
for quiet in '' -q; do
  rm -rf "$temp/cache"
  python3 - "$bin" tune --cuda-path= $quiet "$sources" > "$temp/tty" <<'END'
import os, pty, sys
os.environ["TERM"] = "xterm"
pty.spawn(sys.argv[1:])
END
  shown=$(grep -c '\[ 1/[0-9]*\] build: ' "$temp/tty")
  [ -n "$quiet" ] && [ "$shown" != 0 ] && fail "progress under -q"
  [ -z "$quiet" ] && [ "$shown" = 0 ] && fail "no progress: $(cat "$temp/tty")"
done
exit "$failed"
