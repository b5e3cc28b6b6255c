#!/bin/sh
# check.sh - a step of action.yml: which of PATHS would change? Gives the outputs
# `sarif`, `changes` and `code`, the program's own; the verdict is verdict.sh's, so
# that the report is uploaded first.
set -eu
sarif=${RUNNER_TEMP:?}/pipelinify.sarif
list=$RUNNER_TEMP/pipelinify.list
code=0
# Words, as in a shell, but no patterns: those are the program's.
set -f
# shellcheck disable=SC2086
set -- $ARGS $PATHS ${FLAGS:+-- $FLAGS}
"$PIPELINIFY" --check -j 0 --report="$sarif" --report-format=sarif "$@" >"$list" ||
  code=$?
while IFS= read -r file; do
  echo "::warning file=${file#./}::a tile loop of this file can be software-pipelined"
done <"$list"
{
  echo "sarif=$sarif"
  echo "changes=$(wc -l <"$list" | tr -d ' ')"
  echo "code=$code"
} >>"$GITHUB_OUTPUT"
