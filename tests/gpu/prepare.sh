#!/usr/bin/env bash
# prepare.sh BIN DIR [CASE...]: a bundle of the accept cases, each with its own
# options.
set -u
bin=$(realpath "${1:?program}") dir=$(realpath -m "${2:?directory}")
shift 2
cd "$(dirname "$0")/../../testdata/accept" || exit 2
[ $# -gt 0 ] || set -- $(ls -d -- */*/ | xargs -n 1 basename)
rm -rf "$dir"
plain=() worst=0
for name in "$@"; do
  name=$(echo */"$name")
  if [ -f "$name/args" ]; then
    read -ra options < "$name/args"
    "$bin" validate --prepare="$dir" -q "${options[@]}" "$name/kernel.cu" ||
      worst=$?
  else
    plain+=("$name/kernel.cu")
  fi
done
if [ ${#plain[@]} -gt 0 ]; then
  "$bin" validate --prepare="$dir" "${plain[@]}" || worst=$?
fi
exit "$worst"
