#!/usr/bin/env bash
# faults.sh BIN DIR          a bundle with planted faults
# faults.sh --check DIR      after DIR/run: was every one of them found?
#
# Run it with PL_TIMEOUT=10, and with --sanitize for the fault that only
# racecheck can be relied on to see.
set -u

# name | what sed does to the three-stage form | verdicts that are right
faults() {
  cat <<'EOF'
early-read|s/__pipeline_wait_prior(stages - 2);/__pipeline_wait_prior(stages - 1);/|differs
no-wait|s/__pipeline_wait_prior(stages - 2);//|differs
no-barrier|/Main loop/,/wait_prior(0)/s/__syncthreads();//|differs,racecheck
last-tile-lost|s/for (; t < K/for (; t + 1 < K/|differs
wrong-stage|s/stage == stages - 1 ? 0/stage == stages - 2 ? 0/|differs
rounding|s/    C\[row \* N + col\] = sum;/    C[row * N + col] = sum * 1.0000001f;/|differs
unwritten|s/    C\[row \* N + col\] = sum;/    if (threadIdx.x) C[row * N + col] = sum;/|differs
input-changed|s/    C\[row \* N + col\] = sum;/&\n    if (K) ((float *)A)[0] = 1.5f;/|differs
one-in-twenty|s/    C\[row \* N + col\] = sum;/&\n    if (clock64() % 20 == 0) C[row * N + col] = 0;/|differs
behind-end|s/    C\[row \* N + col\] = sum;/&\n    C[M * N + 3] = sum;/|out-of-bounds
before-begin|s/    C\[row \* N + col\] = sum;/&\n    C[-1] = sum;/|out-of-bounds
far-away|s/    C\[row \* N + col\] = sum;/    C[(1ll << 44) + col] = sum;/|crash
trap|s/    C\[row \* N + col\] = sum;/    __trap();/|crash
misaligned|s/    C\[row \* N + col\] = sum;/    *(double *)(C + 1) = sum;/|crash
endless|s/    C\[row \* N + col\] = sum;/    while (clock64()) ;/|timeout
no-build|s/float sum/float summ/|build-failed
parameters|s/int M, int N, int K)/int M, int N, long long K)/|build-failed
none||equal
EOF
}

check() {
  failed=0
  while IFS='|' read -r name _ wanted; do
    row=$(grep "\"variant\": \"fault-$name\"" "$1")
    verdict=$(sed 's/.*"verdict": "\([^"]*\)".*/\1/' <<<"$row")
    case ",$wanted," in
      *",$verdict,"*) echo "found: $name: $verdict" ;;
      *racecheck*)
        if grep -q '"racecheck": "[^"]*found"' <<<"$row"; then
          echo "found: $name: racecheck"
        else
          echo "MISSED: $name: $verdict"
          failed=1
        fi ;;
      *)
        echo "MISSED: $name: $verdict, should be $wanted"
        failed=1 ;;
    esac
  done < <(faults)
  grep -q '"case": "nondeterministic".*"verdict": "nondeterministic"' "$1" ||
    { echo "MISSED: nondeterministic"; failed=1; }
  exit "$failed"
}

[ "${1-}" = --check ] && check "${2:?directory}/results.json"

bin=$(realpath "${1:?program}") dir=$(realpath -m "${2:?directory}")
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$dir"
cd "$here/../../testdata/accept/kernels" || exit 2
"$bin" bench -q --prepare="$dir" sgemm-tile16/kernel.cu || exit
cd "$here" && "$bin" bench -q --prepare="$dir" nondeterministic/kernel.cu || exit
case_dir=$dir/cases/sgemm-tile16
: > "$case_dir/pairs.new"
while IFS='|' read -r name how _; do
  form=fault-$name
  sed "$how" "$case_dir/src/kernel.cp.async-s3.cu" > \
    "$case_dir/src/kernel.$form.cu"
  sed "s/cp\.async-s3/$form/" "$case_dir/cp.async-s3.cu" > "$case_dir/$form.cu"
  printf '0\t%s\t3\t4,4\t-\tsgemm_tile16\n' "$form" >> "$case_dir/pairs.new"
  [ -z "$how" ] || ! cmp -s "$case_dir/src/kernel.$form.cu" \
    "$case_dir/src/kernel.cp.async-s3.cu" ||
    { echo "faults.sh: $name changes nothing"; exit 2; }
done < <(faults)
mv "$case_dir/pairs.new" "$case_dir/pairs"
for file in "$case_dir"/*.cu; do
  case ${file##*/} in original.cu | fault-*) ;; *) rm "$file" ;; esac
done
