#!/bin/sh
# Host code of all sorts around one kernel: the loop is rewritten and proven, or
# the proof says what it cannot know.
# Usage: host.sh PIPELINIFY
set -u
here=$(cd "$(dirname "$0")" && pwd)
failed=0

# expect FILE CODE WORDS: how the proof of FILE ends, and what it says.
expect() {
  got=$("$1" validate --backend=cpu --cuda-path= --variant=ldg "$here/host/$2" 2>&1)
  code=$?
  if [ $code = "$3" ] && printf '%s\n' "$got" | grep -qF "$4"; then
    printf 'ok       %s\n' "$2"
  else
    printf 'FAILED   %s: exit %s, expected %s and "%s"\n' "$2" $code "$3" "$4"
    printf '%s\n' "$got" | sed 's/^/         | /'
    failed=1
  fi
}

for path in "$here"/host/*.cu; do
  file=$(basename "$path")
  case $file in
    initialiser.cu) expect "$1" $file 4 'crashes while it is loaded' ;;
    kernel_needs_fp8.cu) expect "$1" $file 4 '<cuda_fp8.h>' ;;
    *) expect "$1" $file 0 'ldg: equal (' ;;
  esac
done
exit $failed
