#!/usr/bin/env bash
# programs.sh BUILD [--table]: single-file programs as people write them, none of
# which has a launch description. What `validate` takes from their host code is what
# unannotated/expected says of each: its last words, and how it ends.
#
#   equal        proven on the CPU, with no line written
#   nothing      the program holds no loop to rewrite, and its launches cannot be said
#   alone        the program holds no loop to rewrite; its kernels, run alone, are clean
#   program      no description can say what is launched: `validate --program` can
#   unknown      anything else that is not proven
set -u
program=$(realpath "${1:?build}/pipelinify") table=${2:-}
cd "$(dirname "$0")/../../testdata/unannotated" || exit 2
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

verdict() {
  timeout 500 "$program" validate --backend=cpu --cuda-path= "$1" \
    >"$box/out" 2>"$box/err"
  local code=$?
  if [ $code = 0 ] && grep -q ': equal (' "$box/out" "$box/err"; then
    echo equal
  elif [ $code = 0 ] && grep -q ': alone: clean (' "$box/out"; then
    echo alone
  elif grep -q 'nothing to prove' "$box/err"; then
    echo nothing
  elif grep -q 'proves it inside the program' "$box/err"; then
    echo program
  else
    echo "unknown ($code)"
  fi
}

for file in *.cu; do
  printf '%-24s %s\n' "${file%.cu}" "$(verdict "$file")"
done >"$box/got"
[ "$table" != --table ] || cat "$box/got"
diff -u expected "$box/got" && echo "$(grep -c ' equal$' expected) of $(wc -l <expected) proven with no line written"
