# head.sh - what the tests that compile a part of the harness begin with:
# sourced with the arguments BIN ROOT. Gives root, temp (removed at the end),
# cxx and failed; skips the test where there is no C++ compiler.
set -u
root=${2:?root}
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
cxx=${CXX:-g++}
command -v "$cxx" > /dev/null || { echo "skipped: no $cxx"; exit 77; }
failed=0
