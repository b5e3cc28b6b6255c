#!/bin/sh
# install.sh - a step of action.yml: pipelinify in a virtual environment of its own,
# PACKAGE or what this repository is. Gives the output `program`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=${RUNNER_TEMP:?}/pipelinify
python3 -m venv "$home"
"$home/bin/pip" -q --disable-pip-version-check install "${PACKAGE:-$here/../..}"
"$home/bin/pipelinify" -V
echo "program=$home/bin/pipelinify" >>"$GITHUB_OUTPUT"
