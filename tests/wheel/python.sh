#!/usr/bin/env bash
# python.sh BUILD PYTHON: python.py in a clean virtual environment.
set -u
build=${1:?build directory} python=${2:?python}
. "$(dirname "$0")/house.sh"
new_venv "$box/v" || skip "no virtual environment"
install "$box/v" pipelinify || { fail "pip install"; exit 1; }
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
cd "$box" || exit 2
clean_path=$box/v/bin:/usr/bin:/bin clean env PL_NVCC="$nvcc" PL_ROOT="$root" \
  "$box/v/bin/python" -B "$root/tests/wheel/python.py"
