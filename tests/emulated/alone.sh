#!/bin/sh
# Kernels in which no loop is rewritten run alone: the wrong ones are told for what is
# wrong with them, the right ones are clean. The first line of each says which:
#   // expect: EXIT VERDICT     (VERDICT may be several, separated by |)
#   // also: TEXT               that the output holds
# Usage: alone.sh PIPELINIFY
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?pipelinify}")
failed=0
cd "$here/alone" || exit 2

# expect FILE EXIT VERDICT ALSO
expect() {
  got=$("$program" validate --backend=cpu --cuda-path= "$1" 2>&1)
  code=$?
  verdict=$(printf '%s\n' "$got" | sed -n 's/^emulated: .*: alone: \(.*\)/\1/p' |
    sed 's/ (.*//')
  if [ $code = "$2" ] && printf '%s\n' "$verdict" | grep -qEx "$3" &&
    { [ -z "$4" ] || printf '%s\n' "$got" | grep -qF "$4"; }; then
    printf 'ok       %-30s %s\n' "$1" "$verdict"
  else
    printf 'FAILED   %s: exit %s, expected %s and %s\n' "$1" $code "$2" "$3"
    printf '%s\n' "$got" | sed 's/^/         | /'
    failed=1
  fi
}

for file in *.cu; do
  line=$(sed -n '1s/^\/\/ expect: //p' "$file")
  expect "$file" "${line%% *}" "${line#* }" "$(sed -n 's/^\/\/ also: //p' "$file")"
done
exit $failed
