#!/bin/sh
# newest.sh ROOT BUILD PYTHON USED: builds the program with the newest libclang
# that is installed and newer than USED, the one of the other tests: the answers to
# each fourth case of reject and each 24th of accept are the same.
set -eu
root=$1 build=$2 python=$3 used=$4

newest=$(printf '%s\n' /usr/lib/llvm-*/include/clang-c |
  sed -n 's|.*/llvm-\([0-9][0-9]*\)/.*|\1|p' | sort -n | tail -1)
if [ "${newest:-0}" -le "$used" ]; then
  echo "skipped: no libclang newer than $used is installed"
  exit 77
fi
llvm=/usr/lib/llvm-$newest
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DPL_WERROR=ON \
  -DLIBCLANG_INCLUDE="$llvm/include" \
  -DLIBCLANG_LIBRARY="$llvm/lib/libclang.so" >/dev/null
cmake --build "$build" --target pipelinify -j "$(nproc)" >/dev/null
"$build/pipelinify" --version | grep "clang version $newest"

"$python" "$root/tests/golden/reject.py" --bin "$build/pipelinify" --part 1/4 &
refusals=$!
"$python" "$root/tests/golden/accept.py" --bin "$build/pipelinify" --part 1/24
wait "$refusals"
