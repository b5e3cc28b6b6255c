#!/bin/sh
# verdict.sh - the last step of action.yml. CODE 1: files would change; above: errors.
set -eu
case $CODE in
  1) echo "tile loops are not pipelined: pipelinify -i FILE, or a comment" \
       "'// pipelinify: skip' above the loop"
     [ "$FAIL" != true ] || exit 1 ;;
  *) exit "$CODE" ;;
esac
