#!/bin/sh
# Runs every fuzz target for a while, one after the other, seeded from testdata.
#
#     cmake --preset fuzz && cmake --build build/fuzz
#     sh tests/fuzz/run.sh build/fuzz 300
#
# What is found lies in BUILD/fuzz/NAME.found; once it is fixed, its smallest
# form goes to tests/fuzz/found/NAME, where the ordinary tests replay it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
seconds=${2:-300}
data=$here/../../testdata
work=$build/fuzz

# seed NAME: the inputs that a target starts from.
seed() {
  mkdir -p "$work/$1.seed" "$work/$1.corpus" "$work/$1.found"
  for source in "$data"/accept/*/*/*.cu "$data"/reject/*/*/*.cu; do
    name=$(basename "$(dirname "$source")")-$(basename "$source")
    case $1 in
    launch) { printf 1; cat "$source"; } ;;
    diff) { head -c 600 "$source"; printf '\377'; tail -c 600 "$source"; } ;;
    expr) sed -n 's/^\/\/ *\(grid\|requires\) *//p' "$source" | head -n 1 ;;
    *) cat "$source" ;;
    esac >"$work/$1.seed/$name"
  done
}

status=0
for target in expr launch lex diff rewrite; do
  seed "$target"
  "$build/tests/fuzz/fuzz_$target" -fork=1 -ignore_crashes=1 -max_len=12000 \
    -timeout=25 -rss_limit_mb=3000 "-max_total_time=$seconds" \
    "-artifact_prefix=$work/$target.found/" "$work/$target.corpus" \
    "$work/$target.seed" "$here/found/$target" 2>"$work/$target.log" || status=1
  found=$(find "$work/$target.found" -type f | wc -l)
  echo "$target: $(tail -n 1 "$work/$target.log"); $found found"
  [ "$found" -eq 0 ] || status=1
done
exit $status
