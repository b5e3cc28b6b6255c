#!/usr/bin/env bash
# run.sh PIPELINIFY SOURCES: the checker of shadowed programs over a pretended
# driver. Each test runs in a process of its own; what it has written down is
# read back by `validate --results`.
set -u
bin=$(realpath "$1") root=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit
compiler=${CXX:-g++}
command -v "$compiler" > /dev/null || exit 77
flags="-std=c++17 -Wall -Wextra -Werror -I$root/templates/shadow"

# shellcheck disable=SC2086 # several flags
{
  $compiler $flags -O1 -shared -fPIC -fvisibility=hidden -o pl_shadow.so \
    "$root/templates/shadow/pl_shadow.cpp" -ldl &
  $compiler $flags -shared -fPIC -Wl,-soname,libcuda.so.1 -o libcuda.so.1 \
    "$root/tests/shadow/fake_cuda.cpp" || exit
  $compiler $flags -o test "$root/tests/shadow/test_shadow.cpp" libcuda.so.1 \
    -ldl || exit
  wait $! || exit
  $compiler $flags -o values "$root/tests/shadow/test_values.cpp" -ldl || exit
}

failed=0
./values || failed=1

# The checker's directory, as the script of a packed program leaves it.
printf 'twice\tin:const float *\tout:float *\nmake\ndeep\tall:float ***\nmixed\ncount\npaint\n' > pipelined.kernels
echo pipelined > forms
printf 'checks 5\ntimeout 0.2\n' > limits
printf image > pipelined.fatbin
cat > pipelined.ptx <<'EOF'
.version 9.0
.visible .global .align 4 .u32 counter;
.global .align 1 .b8 $str[3] = {37, 100, 0};
.visible .entry _Z5twicePKfPf(
	.param .u64 .ptr .align 1 _Z5twicePKfPf_param_0,
	.param .u64 _Z5twicePKfPf_param_1
)
.maxntid 128, 1, 1
{
	.reg .pred 	%p<2>;
	ret;
}
.visible .entry pl_shadow_rewritten()
{
	ret;
}
.visible .entry _Z4makeI7problemEvT_(
	.param .align 8 .b8 _Z4makeI7problemEvT__param_0[24]
)
{
	ret;
}
.func  (.param .b32 func_retval0) _Z6helperv
()
{
	ret;
}
.visible .entry _Z4deepPPPf(
	.param .u64 _Z4deepPPPf_param_0
)
{
	call.uni _Z6helperv;
	ret;
}
.visible .entry _Z5mixedPfPPPf(
	.param .u64 _Z5mixedPfPPPf_param_0,
	.param .u64 _Z5mixedPfPPPf_param_1
)
{
	ret;
}
.visible .entry _Z5countv()
{
	ret;
}
.visible .entry _Z5paintv()
{
	sust.b.2d.b32.trap 	[%rd1, {%r1, %r2}], {%r3};
}
EOF
cp pipelined.ptx program.ptx

# expect TEST STATUS CODE LINE: how the process ends, what the report exits
# with, and a line of it.
expect() {
  test=$1 status=$2 code=$3 line=$4
  rm -f shadow.jsonl
  PIPELINIFY_SHADOW=$PWD LD_LIBRARY_PATH=$PWD ./test "$PWD" "$test" \
    > out 2>&1
  got=$?
  touch shadow.jsonl
  {
    printf '{"type":"source","version":1,"path":"k.cu","kernels":[]%s}\n' "$timed"
    cat shadow.jsonl
    printf '{"type":"program","status":0}\n'
  } > all.jsonl
  report=$("$bin" validate --results=all.jsonl 2>&1)
  said=$?
  if [ "$got" != "$status" ] || [ "$said" != "$code" ] ||
    ! grep -qF -- "$line" <<< "$report"; then
    printf '%s: ended with %s, not %s; report %s, not %s; without: %s\n' \
      "$test" "$got" "$status" "$said" "$code" "$line"
    cat out
    printf '%s\n' "$report"
    failed=1
  fi
}

timed=''
expect equal 0 0 'k.cu:41: twice: equal (1 of 1 launches compared)'
expect many 0 0 'k.cu:41: twice: equal (5 of 12 launches compared)'
expect differs 0 3 'twice: differs: out[17]: 1.5, should be 34 (2 of 300 differ, launch 1)'
expect input 0 3 'twice: differs: in[0]: -1, should be 0 (1 of 300 differ, launch 1)'
expect launch-failed 0 3 'twice: launch-failed: CUDA_ERROR_OTHER'
expect crash 3 3 'twice: crash: CUDA_ERROR_ILLEGAL_ADDRESS'
expect timeout 3 3 'twice: timeout'
expect nondeterministic 0 4 'twice: not proven: the original disagrees with itself'
expect unchanged 0 4 'twice: not proven: equal, but the original left everything as it was'
expect captured 0 4 'k.cu:41: twice: not proven: its stream is being captured'
expect captured 0 4 'k.cu:42: twice: not proven: another stream is being captured'
expect struct 0 3 'make<problem>: differs: memory behind argument 1, element 5: 0x00000000, should be 0x40c00000'
expect pointers 0 3 'deep: differs: memory, element 299'
expect mixed 0 3 'mixed: differs: memory, element 299'
expect unknown-pointer 0 4 'twice: not proven: in points into no allocation that the driver knows (1 launches)'
expect end-pointer 0 0 'twice: equal'
expect layers 0 3 'twice: differs: out[1]: '
sed -i.was 's/^twice/&\t^2/' pipelined.kernels
expect layers 0 0 'k.cu:41: twice: equal (1 of 1 launches compared)'
mv pipelined.kernels.was pipelined.kernels
expect shared-pool 0 3 'twice: differs: in[2]: 9, should be 2 (1 of 600 differ'
expect variable 0 0 'count: equal (2 of 2 launches compared)'
expect variable-differs 0 3 'count: differs: counter[0]: 7, should be 6'
expect variable-lost 0 4 "count: not proven: the variable 'counter' is not found"
expect other-kernel 0 4 'k.cu: not proven: no launch was seen'
expect surface 0 4 'paint: not proven: it writes to surfaces'
mv pipelined.fatbin image
expect equal 0 4 'twice: not proven: the build left no device code of the rewritten file'
printf relocatable > pipelined.fatbin
expect equal 0 0 'twice: equal'
printf other > pipelined.fatbin
expect equal 0 4 'device code does not load'
mv image pipelined.fatbin

# Several forms, timed: each is compared, and measured on what the launch found.
printf 'ldg\ncp.async-2\n' > forms
echo 'rounds 4' >> limits
for name in kernels ptx fatbin; do
  cp pipelined.$name ldg.$name
  cp pipelined.$name cp.async-2.$name
done
printf second > cp.async-2.fatbin
timed=',"timed":true,"auto":{"twice":"ldg"}'
expect forms 0 0 'k.cu:41: twice: 5 of 7 launches timed'
expect forms 0 0 '  original       -                    3.0000    1.000x'
expect forms 0 0 '  ldg          * equal                2.0000    1.500x'
expect forms 0 0 '  cp.async-2     equal                1.5000    2.000x'
expect forms-in-place 0 0 '  cp.async-2     equal                1.5000    2.000x'
expect form-differs 0 3 '  ldg          * equal                2.0000    1.500x'
expect form-differs 0 3 '  cp.async-2     finding                   -         -'
expect form-differs 0 3 '    differs: out[17]: 1.5, should be 34 (2 of 300 differ, launch 1)'
expect form-variables 0 0 '  cp.async-2     equal'
printf other > ldg.fatbin
expect forms 0 4 "    the rewritten file's device code does not load"
expect forms 0 4 '  cp.async-2     equal                1.5000    2.000x'
exit "$failed"
