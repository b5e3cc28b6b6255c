#!/usr/bin/env bash
# side-faults.sh BIN DIR        a bundle whose loads alone or compute alone misbehave
# side-faults.sh --check DIR    after DIR/run --timeout 15 build bench report: were
#                               they left out, and all forms timed without them?
set -u

# case | side | what sed does to it | detail that is right
faults() {
  cat <<'EOF'
sgemm-tile16|loads-alone|s/^    C\[.*/    __trap();/|loads-alone \[
sgemm-tile32|compute-alone|s/^  C\[.*/  while (clock64()) ;/|timeout
nbody-float4|loads-alone|s/^ *accel\[.*/&\n    ((float4 *)bodies)[i].x = 3;/|changes its input
gemm-bump-first|loads-alone||null
EOF
}

check() {
  failed=0
  while IFS='|' read -r case side _ wanted; do
    entry=$(grep "\"case\": \"$case\".*\"side\": \"${side%-alone}\"" "$1")
    grep -q "\"detail\": .*$wanted" <<<"$entry" ||
      { echo "MISSED: $case $side: $entry"; failed=1; }
    grep -q '"time_ms": null' <<<"$entry" || [ "$wanted" = null ] ||
      { echo "TIMED: $case $side: $entry"; failed=1; }
    grep "\"case\": \"$case\".*\"variant\"" "$1" | grep '"time_ms": null' &&
      { echo "NOT TIMED: a form of $case"; failed=1; }
    grep "\"case\": \"$case\".*\"variant\": \"ldg\"" "$1" |
      grep -q '"time_ms": [0-9]' || { echo "NO ROW: $case"; failed=1; }
  done < <(faults)
  [ "$failed" = 0 ] && echo "all sides that misbehave were left out"
  exit "$failed"
}

[ "${1-}" = --check ] && check "${2:?directory}/results.json"

bin=$(realpath "${1:?program}") dir=$(realpath -m "${2:?directory}")
here=$(cd "$(dirname "$0")" && pwd)
mapfile -t cases < <(faults | cut -d '|' -f 1)
"$here/prepare.sh" "$bin" "$dir" "${cases[@]}" || exit
while IFS='|' read -r case side how _; do
  [ -n "$how" ] || continue
  file=$dir/cases/$case/src/kernel.$side.cu
  cp "$file" "$file.old"
  sed "$how" "$file.old" > "$file"
  cmp -s "$file" "$file.old" &&
    { echo "side-faults.sh: nothing changes in $case"; exit 2; }
  rm "$file.old"
done < <(faults)
exit 0
