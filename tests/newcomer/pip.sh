#!/usr/bin/env bash
# pip.sh BUILD PYTHON: a virtual environment, `pip install pipelinify`, the README's
# kernel rewritten and proven, and the same from Python.
set -u
build=${1:?build directory} python=${2:?python}
. "$(dirname "$0")/../wheel/house.sh"
cd "$box" || exit 2

new_venv "$box/v" || skip "no virtual environment: $(tail -1 "$box/venv.log")"
install "$box/v" pipelinify || { fail "pip install"; exit 1; }
clean_path=$box/v/bin:/usr/bin:/bin

block 1 >sgemm.cu
block 2 >want.cu
clean pipelinify sgemm.cu -o sgemm_pipe.cu 2>said || fail "pipelinify sgemm.cu"
# (Its last line says what it was made of.)
head -n -1 sgemm_pipe.cu | cmp want.cu - || fail "not the README's text"
grep -q "sgemm.cu:11:5: remark: in 'sgemm': tile loop pipelined: ldg, 2 stages" said ||
  fail "no remark: $(cat said)"

launch='launch sgemm | sizes N=32,64,96 | grid N / 32, N / 32 | block 32, 32
  | A: in [N * N] | B: in [N * N] | C: out [N * N] | N: N'
if clean sh -c 'command -v g++ || command -v clang++' >/dev/null; then
  clean pipelinify validate --backend=cpu --launch "$(tr -d '\n' <<<"$launch")" sgemm.cu \
    >proof 2>&1 || { cat proof; fail "validate"; }
  grep -qi 'equal' proof || { cat proof; fail "validate says nothing of equal"; }
else
  echo "no proof: no C++ compiler"
fi

cat >first.py <<'END'
import pipelinify
done = pipelinify.rewrite(open("sgemm.cu").read())
assert done.rewritten and done.text == open("want.cu").read()
for remark in done.remarks:
    print(remark)
END
said=$(clean python first.py) || fail "import pipelinify"
[ "${said%%, *}" = "kernel.cu:11:5: in 'sgemm': tile loop pipelined: ldg" ] ||
  fail "its remark: $said"
exit $failed
