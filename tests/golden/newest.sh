#!/bin/sh
# newest.sh ROOT BIN PYTHON USED: the newest libclang that is installed and newer than
# USED, the one of the other tests: what sees clang-c compiles with its headers, and
# with it the program's answers to each fourth case of reject and each 24th of accept
# are the same. The library's functions are looked up by name, so that BIN loads any.
set -eu
root=$1 bin=$2 python=$3 used=$4

newest=$(printf '%s\n' /usr/lib/llvm-*/include/clang-c |
  sed -n 's|.*/llvm-\([0-9][0-9]*\)/.*|\1|p' | sort -n | tail -1)
if [ "${newest:-0}" -le "$used" ]; then
  echo "skipped: no libclang newer than $used is installed"
  exit 77
fi
llvm=/usr/lib/llvm-$newest
cd "$root/rewriter"
folders=$(printf -- '-I%s ' */)
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -DPL_LIBCLANG_FILE='""' \
  -DPL_LIBCLANG_SONAME='""' -DPL_LIBCLANG_PACKAGE='""' -DPL_LIBLLVM_FILE='""' \
  -isystem "$llvm/include" -I. $folders frontend/clang_*.c frontend/libclang.c

export PIPELINIFY_LIBCLANG="$llvm/lib/libclang.so"
"$bin" --version | grep "clang version $newest"
"$python" "$root/tests/golden/reject.py" --bin "$bin" --part 1/4 &
refusals=$!
"$python" "$root/tests/golden/accept.py" --bin "$bin" --part 1/24
wait "$refusals"
