#!/usr/bin/env bash
# manual.sh ROOT PAGE PIPELINIFY: every option in options.def stands in the man
# page, in --help and in the completion of each shell, and the man page formats
# without a complaint where there is mandoc or groff.
set -u
cd "${1:?root}" || exit 2
page=${2:?man page} program=${3:?program}
failed=0
options=$(grep '^PL_OPTION' src/options/options.def | grep -oE '"--?[a-zA-Z-]+"' | tr -d '"')

# lacks WHAT PATTERN-BEFORE PATTERN-BEHIND: options that the text has nowhere
lacks() {
  local text
  text=$(cat)
  for option in $options; do
    grep -qE -- "$2$option$3" <<<"$text" && continue
    echo "$1: $option is missing"
    failed=1
  done
}

lacks nothing '^' '$' </dev/null >/dev/null
[ $failed = 1 ] || { echo "the check finds nothing missing in nothing"; exit 1; }
failed=0
lacks "$page" '(^|[ ,])' '([ ,]|$)' \
  < <(grep '^\.It Fl' "$page" | sed 's/^\.It //; s/Fl -/--/g; s/Fl /-/g')
lacks --help '^ .*(^|[ ,])' '([ =,[]|$)' < <("$program" --help)
lacks bash '[ ]' "[= ']" < <("$program" --completion=bash)
lacks zsh "'\*" '(=-|[=+])?\[' < <("$program" --completion=zsh)
# fish: -l NAME, -o NAME for names like -arch, -s LETTER
lacks fish '[ ]' ' ' < <("$program" --completion=fish | sed 's/ -l / --/g; s/ -[os] / -/')

if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$page" || failed=1
elif command -v groff >/dev/null; then
  [ -z "$(groff -mdoc -ww -Tutf8 -z "$page" 2>&1 | tee /dev/stderr)" ] || failed=1
fi
exit $failed
