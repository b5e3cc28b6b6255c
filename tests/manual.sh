#!/usr/bin/env bash
# manual.sh ROOT: every option in options.def stands in the man page, and the
# man page formats without a complaint where there is mandoc or groff.
set -u
cd "${1:?root}" || exit 2
page=docs/pipelinify.1
failed=0
plain=$(sed 's/^\.It //; s/Fl -/--/g; s/Fl /-/g' "$page")
for option in $(grep '^PL_OPTION' src/options.def | grep -oE '"--?[a-zA-Z-]+"' | tr -d '"'); do
  grep -qE -- "(^|[ ,])$option([ ,]|$)" <<<"$plain" && continue
  echo "$page: $option is missing"
  failed=1
done
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$page" || failed=1
elif command -v groff >/dev/null; then
  [ -z "$(groff -mdoc -ww -Tutf8 -z "$page" 2>&1 | tee /dev/stderr)" ] || failed=1
fi
exit $failed
