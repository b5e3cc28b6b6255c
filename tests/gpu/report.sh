#!/usr/bin/env bash
# report.sh BIN ROOT: the report of a bundle, from results that were made up.
bin=$(realpath "${1:?program}")
. "$(dirname "$0")/head.sh"

cat > "$temp/main.cpp" <<'EOF'
#include "pl_report.h"
int main(int, char **w) { return report(w[1], w[2], w[3], w[4]); }
EOF
# A read behind an object's end has to show, not to depend on luck.
"$cxx" -std=c++17 -Wall -Wextra -Werror -fsanitize=address,undefined \
  -I"$root/templates/harness" -o "$temp/report" "$temp/main.cpp" ||
  "$cxx" -std=c++17 -Wall -Wextra -Werror -I"$root/templates/harness" \
    -o "$temp/report" "$temp/main.cpp" || exit 1

mkdir -p "$temp/cases/k" "$temp/build/k" "$temp/build/results"
printf 'name=A "GPU"\narch=sm_90\ncuda=13.0\n' > "$temp/build/results/device"
pairs() {
  for form in "$@"; do
    printf '0\t%s\t2\t4,16\t%s\tns::f<1, "x">\t2\t0\n' "$form" \
      "$([ "$form" = good ] && echo auto || echo -)"
  done > "$temp/cases/k/pairs"
}
built() { for form in "$@"; do : > "$temp/build/k/$form.so"; done; }
validated() { printf "$2" > "$temp/build/results/k.0.$1.validate"; }
sanitized() { printf "$2" > "$temp/build/results/k.0.$1.sanitize"; }

# run WANTED-CODE
run() {
  "$temp/report" "$temp" "$temp/build" "$temp/build/results" "$temp/r.json" \
    > "$temp/table"
  code=$?
  [ "$code" = "$1" ] || { echo "FAILED: exit $code, should be $1"; failed=1; }
  [ -z "${PYTHON-}" ] || "$PYTHON" -m json.tool "$temp/r.json" > /dev/null ||
    failed=1
  # The program reads what the runner wrote, and comes to the same end.
  for command in validate bench; do
    "$bin" "$command" --results="$temp/r.json" > "$temp/said" 2>&1
    code=$?
    [ "$code" = "$1" ] ||
      { echo "FAILED: $command --results: $code: $(cat "$temp/said")"; failed=1; }
  done
}
# has TEXT...: each stands in the row of its form
row() {
  line=$(grep "\"variant\": \"$1\"" "$temp/r.json")
  shift
  for text in "$@"; do
    grep -qF "$text" <<<"$line" ||
      { echo "FAILED: no $text in $line"; failed=1; }
  done
}

PYTHON=$(command -v python3)
built original good
pairs good
run 4
row good '"verdict": "not-run"' '"speedup": null' '"barriers_original": 2,' \
  '"barriers": null,'

validated good 'function=_Z1fv\nregisters=40\nverdict=equal\nsets=9\n'
cat > "$temp/build/k/good.log" <<'EOF'
ptxas info    : Function properties for _Z1gv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z1fv
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
EOF
run 0
row good '"verdict": "equal"' '"sizes_run": 9' '"auto": true' \
  '"copy_bytes": [4,16]' '"spills": 16' '"registers": 40' \
  '"kernel": "ns::f<1, \"x\">"'

cat > "$temp/build/results/k.0.bench" <<'EOF'
sizes=N=1
form=original
target=equal
ms=3
form=good
target=equal
function=_Z1fv
registers=41
ms=2
EOF
run 0
row good '"speedup": 1.5' '"time_ms_original": 3' '"registers": 41'
grep -q '(best).*1 timed, geometric mean 1.500x' "$temp/table" ||
  { echo "FAILED: no mean"; failed=1; }

sanitized good 'memcheck=clean\nracecheck=2 hazards found\n'
sanitized original 'memcheck=clean\nracecheck=2 hazards found\n'
run 0
row good '"sanitizer": {"memcheck": "clean", "racecheck": "2 hazards found"}'
sanitized original 'memcheck=clean\nracecheck=clean\n'
run 3
sanitized good 'memcheck=clean\nracecheck=not run: exit code 2, no GPU\n'
run 4
rm "$temp"/build/results/*.sanitize

pairs good bad broken
built bad
validated bad 'verdict=differs\ndetail=C[1]: 2, should be 3 [N="1"]\nsets=2\n'
printf 'k.cu(3): error: no\n' > "$temp/build/k/broken.log"
run 3
row bad '"verdict": "differs"' 'should be 3 [N=\"1\"]'
row broken '"verdict": "build-failed"' '"detail": "k.cu(3): error: no"'

pairs good
printf 'sizes=N=1\nform=original\nms=3\nform=good\ntarget=differs\n' > \
  "$temp/build/results/k.0.bench"
echo 'target_detail=C[7]: 1, should be 2 [N=1]' >> \
  "$temp/build/results/k.0.bench"
run 3
row good '"verdict": "differs"' 'C[7]: 1, should be 2 [N=1]'

printf 'crashed-good=good [N=1]: an illegal memory access\nsizes=N=1\n' > \
  "$temp/build/results/k.0.bench"
run 3
row good '"verdict": "crash"' 'an illegal memory access'
printf 'crashed-other=other [N=1]: an illegal memory access\nsizes=N=1\n' > \
  "$temp/build/results/k.0.bench"
run 0

# The original's loads and compute alone: neither proven nor counted.
printf '0\tloads-alone\tns::f\n0\tcompute-alone\tns::f\n' > \
  "$temp/cases/k/sides"
# sides LOADS COMPUTE FORM: milliseconds, of which the original takes 4
sides() {
  printf 'sizes=N=1\nform=original\nms=4\nform=good\ntarget=equal\nms=%s\n' \
    "$3"
  printf 'form=loads-alone\nregisters=12\nblocks=8\nms=%s\n' "$1"
  printf 'form=compute-alone\nms=%s\nms_min=%s\n' "$2" "$2"
}
sides 1 2 2.5 > "$temp/build/results/k.0.bench"
built loads-alone compute-alone
run 0
row good '"bound_ms": 2,' '"overlap_efficiency": 0.8,' '"gain_share": 0.7500,'
side() {
  line=$(grep "\"side\": \"$1\"" "$temp/r.json")
  shift
  for text in "$@"; do
    grep -qF "$text" <<<"$line" ||
      { echo "FAILED: no $text in $line"; failed=1; }
  done
}
side loads '"case": "k"' '"launch": 0' '"time_ms": 1,' '"registers": 12,' \
  '"blocks_per_sm": 8,' '"detail": null'
side compute '"time_ms": 2,' '"time_ms_min": 2,' '"registers": null'
grep -q '^1 pairs: 1 equal' "$temp/table" || { echo "FAILED: counted"; failed=1; }
grep -q 'overlap efficiency.*1 launches, geometric mean 0.800' "$temp/table" ||
  { echo "FAILED: no efficiency"; failed=1; }
# Slower than the original; nothing to gain; one side unknown.
sides 1 2 5 > "$temp/build/results/k.0.bench"
run 0
row good '"overlap_efficiency": 0.4,' '"gain_share": -0.5000,'
sides 1 3.95 3.9 > "$temp/build/results/k.0.bench"
run 0
row good '"overlap_efficiency": 1.01282,' '"gain_share": null,'
rm "$temp/build/k/loads-alone.so"
{ echo 'crashed-compute-alone=timeout [N=1]'; sides 1 2 2.5 | sed '/alone/,$d'; } \
  > "$temp/build/results/k.0.bench"
echo 'k.cu(1): error: nothing' > "$temp/build/k/loads-alone.log"
run 0
row good '"bound_ms": null,' '"overlap_efficiency": null,' '"gain_share": null,'
side loads '"time_ms": null' '"detail": "k.cu(1): error: nothing"'
side compute '"detail": "timeout [N=1]"'

validated good 'verdict=nondeterministic\nsets=1\n'
rm "$temp/build/results/k.0.bench"
run 4
rm "$temp/build/k/original.so"
run 4
row good '"verdict": "not-run"'  # -k left it out
echo 'k.cu(2): error: gone' > "$temp/build/k/original.log"
run 4
row good '"verdict": "original-build-failed"' 'error: gone'

# Every accept case at once is some 500 pairs: far more than 64 KiB of both.
rm -r "$temp/cases/k" "$temp/build/k"
for i in $(seq 700); do
  mkdir -p "$temp/cases/many$i" "$temp/build/many$i"
  printf '0\tldg\t2\t4,4\tauto\tkernel_with_a_long_name<%d>\n' "$i" \
    > "$temp/cases/many$i/pairs"
  : > "$temp/build/many$i/original.so"
  : > "$temp/build/many$i/ldg.so"
  printf 'verdict=equal\nsets=3\n' > \
    "$temp/build/results/many$i.0.ldg.validate"
  printf 'sizes=N\nform=original\nms=3\nform=ldg\ntarget=equal\nms=2\n' \
    > "$temp/build/results/many$i.0.bench"
done
run 0
for file in r.json table; do
  [ "$(wc -c < "$temp/$file")" -gt 65536 ] ||
    { echo "FAILED: $file is not whole"; failed=1; }
done
[ "$(grep -c '"verdict": "equal"' "$temp/r.json")" = 700 ] ||
  { echo "FAILED: not 700 rows"; failed=1; }
grep -qF '"name": "A \"GPU\""' "$temp/r.json" ||
  { echo "FAILED: no device"; failed=1; }
grep -q '^700 pairs: 700 equal' "$temp/table" ||
  { echo "FAILED: no counts"; failed=1; }
exit "$failed"
