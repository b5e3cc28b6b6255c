#!/usr/bin/env bash
# sanitizer.sh BIN ROOT: what the script `run` makes of compute-sanitizer's
# words. A double plays back the files of sanitizer/.
set -u
root=${2:?root}
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
failed=0
export PL_HERE=$temp PL_BUILD=$temp/build PL_RESULTS=$temp/results
export PL_SANITIZER=$temp/double PL_PLAYED
mkdir -p "$PL_BUILD/k" "$PL_RESULTS"
: > "$PL_BUILD/k/ldg.so"
cat > "$PL_SANITIZER" <<'END'
#!/bin/sh
echo "$@" >> "$PL_RESULTS/asked"
sed 1d "$PL_PLAYED"
exit "$(head -n 1 "$PL_PLAYED")"
END
chmod +x "$PL_SANITIZER"

# understood FILE TEXT: what each of the four tools is said to have said
understood() {
  PL_PLAYED=$root/tests/gpu/sanitizer/$1
  rm -f "$PL_RESULTS"/*
  sh "$root/templates/harness/run" --one sanitize k 0 ldg
  for tool in memcheck racecheck synccheck initcheck; do
    grep -qxF -- "$tool=$2" "$PL_RESULTS/k.0.ldg.sanitize" ||
      { echo "FAILED: $1: $(cat "$PL_RESULTS/k.0.ldg.sanitize")"; failed=1; }
    grep -q -- "--tool $tool --error-exitcode 86 .*ldg=" "$PL_RESULTS/asked" ||
      { echo "FAILED: $tool: asked otherwise"; failed=1; }
  done
}

understood clean clean
understood clean-racecheck clean
understood memcheck 'ERROR SUMMARY: 34 errors found'
understood racecheck \
  'RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings) found'
understood synccheck 'ERROR SUMMARY: 8 errors found'
understood initcheck 'ERROR SUMMARY: 64 errors found'
understood trap 'ERROR SUMMARY: 33 errors found'
understood silent 'something found'
understood no-gpu 'not run: exit code 255, Error: Target application terminated before first instrumented API call'
understood died 'not run: exit code 6, Target application returned an error'
understood no-file "not run: exit code 1, Target application doesn't exist or is not a valid executable"

# What does not end is not begun once more under each tool.
for verdict in timeout crash equal; do
  PL_PLAYED=$root/tests/gpu/sanitizer/clean
  rm -f "$PL_RESULTS"/*
  echo "verdict=$verdict" > "$PL_RESULTS/k.0.ldg.validate"
  sh "$root/templates/harness/run" --one sanitize k 0 ldg
  asked=no
  [ ! -f "$PL_RESULTS/asked" ] || asked=yes
  case $verdict$asked in
    timeoutno|crashno|equalyes) ;;
    *) echo "FAILED: $verdict: asked: $asked"; failed=1 ;;
  esac
done
exit "$failed"
