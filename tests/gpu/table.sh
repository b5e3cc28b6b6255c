#!/usr/bin/env bash
# table.sh BIN ROOT: what table.py and again.py make of results that were made
# up. sqrt(2 x 0.8) is 1.265, and auto loses 1 - sqrt(2/4 x 0.8/1); of the two
# choices of record.json one is slow in the second run, and a launch that was not
# timed there does not count.
set -u
here=$(dirname "$0")
failed=0
python3 "$here/table.py" "$here/table/results.json" |
  diff -u "$here/table/expected.md" - || failed=1
python3 "$here/again.py" "$here/table/record.json" "$here/table/results.json" |
  diff -u "$here/table/again.md" - || failed=1
python3 "$here/again.py" "$here/table/record.json" "$here/table/results.json" \
  > /dev/null && { echo "FAILED: a slow choice ends with 0"; failed=1; }
exit "$failed"
