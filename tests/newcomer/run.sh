#!/bin/sh
# run.sh BUILD [PART...]: the first five minutes, from nothing. A part is a script
# beside this one, which gets BUILD and a python3 and works in an environment of its
# own; it ends with 0, with 77 where it says what it lacks, or with another code.
# What BUILD lacks of the wheel is made. All parts, unless some are named; ends with
# the worst code, and with 77 only where no part could be run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?build directory}
shift
[ $# -gt 0 ] || set -- $(cd "$here" && ls *.sh | grep -v '^run.sh$' | sed 's/\.sh$//')
# Behind a version manager's wrapper.
python=$(python3 -c 'import sys; print(sys.executable)') || {
  echo "skipped: no python3"
  exit 77
}

worst=0 ran=0 began=$(date +%s)
for part in "$@"; do
  start=$(date +%s)
  bash "$here/$part.sh" "$build" "$python"
  code=$?
  echo "$part: exit $code, $(($(date +%s) - start)) s"
  case $code in
    77) ;;
    0) ran=1 ;;
    *) ran=1 worst=1 ;;
  esac
done
[ $# = 1 ] || echo "all: $(($(date +%s) - began)) s"
[ $ran = 1 ] || exit 77
exit $worst
