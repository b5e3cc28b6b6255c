#!/usr/bin/env bash
# table.sh BIN ROOT: what table.py makes of results that were made up; sqrt(2 x
# 0.8) is 1.265, and auto loses 1 - sqrt(2/4 x 0.8/1).
set -u -o pipefail
here=$(dirname "$0")
python3 "$here/table.py" "$here/table/results.json" |
  diff -u "$here/table/expected.md" -
