#!/bin/sh
# cmake.sh BUILD: a CMake project whose kernels are pipelined on the way to nvcc, by
# one line on its command line; BUILD holds pipelinify-nvcc. Skipped (77) without
# cmake, ninja or nvcc.
set -u
launcher=$(cd "${1:?build directory}" && pwd)/pipelinify-nvcc
[ -x "$launcher" ] || { echo "FAILED: no $launcher"; exit 1; }
PATH=$PATH:/usr/local/cuda/bin
for tool in cmake ninja nvcc; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
export XDG_CACHE_HOME="$root/cache"
unset PIPELINIFY_NVCC_FLAGS PIPELINIFY_NO_CACHE PIPELINIFY_CACHE_DIR
failed=0
fail() { echo "FAILED: $*"; failed=1; }

mkdir -p "$root/app/src" "$root/app/include"
cd "$root/app" || exit 2
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX CUDA)
add_library(kernels STATIC src/sgemm.cu)
target_include_directories(kernels PUBLIC include)
target_compile_options(kernels PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-Xptxas=-v>")
add_executable(app src/main.cu)
target_link_libraries(app kernels)
END
echo 'void sgemm(const float *A, const float *B, float *C, int N);' >include/sgemm.h
echo '#define TILE 32' >src/tile.h
cat >src/sgemm.cu <<'END'
#include "sgemm.h"
#include "tile.h"
#include <cassert>
#include <cstdio>

__global__ void sgemm_tiles(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < N / TILE; ++t) {
        As[ty][tx] = A[row * N + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            int unused_within;
            assert(N > 0 && "line 19");
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    int unused_behind;
    C[row * N + col] = sum;
}

void sgemm(const float *A, const float *B, float *C, int N) {
    sgemm_tiles<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(A, B, C, N);
}
END
cat >src/main.cu <<'END'
#include "sgemm.h"
int main() { sgemm(nullptr, nullptr, nullptr, 0); }
END
find . -type f | sort >"$root/before"

# The only change is one option.
cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_CUDA_COMPILER="$(command -v nvcc)" \
  -DCMAKE_CUDA_COMPILER_LAUNCHER="$launcher" >log 2>&1 || { cat log; exit 1; }
build() { ninja -C build -j1 "$@" >log 2>&1; }
# How many CUDA sources the build that was logged has compiled.
compiled() { grep -c 'Building CUDA object' log; }
# Bytes of shared memory of the kernel as it was compiled, by ptxas.
shared() { sed -n 's/.* \([0-9]*\) bytes smem.*/\1/p' log; }

build || { cat log; exit 1; }
[ "$(shared)" = 16384 ] || fail "not pipelined: $(shared)"
[ "$(compiled)" = 2 ] || fail "the first build compiled $(compiled) sources"
grep -q 'sgemm.cu(18): warning.*unused_within' log && grep -q 'sgemm.cu(24): warning.*unused_behind' log ||
  { fail 'warnings have other lines'; cat log; }
grep -q 'sgemm.cu\.o\.pipelinify' log && grep -v '^\[' log | grep 'pipelinify' &&
  fail 'a message names the temporary file'

build
grep -q 'no work to do' log || { fail 'the second build has work'; cat log; }
touch src/tile.h; build
[ "$(compiled)" = 1 ] || fail "a header beside the source: $(compiled) compiled"
sed -i 's/32/16/' src/tile.h; build
[ "$(shared)" = 4096 ] || fail "another tile: $(shared)"
sed -i 's/16/32/' src/tile.h
touch include/sgemm.h; build
[ "$(compiled)" = 2 ] || fail "a header on the include path: $(compiled) compiled"
printf '[pipelinify]\nvariant = ldg-single\n' >src/.pipelinify
touch src/sgemm.cu src/main.cu; build
[ "$(shared)" = 8192 ] || fail "its configuration: $(shared)"
sleep 1; sed -i 's/ldg-single/cp.async/; $astages = 3' src/.pipelinify; build
[ "$(shared)" = 24576 ] || fail "a change of its configuration: $(shared)"
[ "$(compiled)" = 2 ] || fail "a change of its configuration: $(compiled) compiled"
rm src/.pipelinify; touch src/sgemm.cu src/main.cu; build
build
grep -q 'no work to do' log || fail 'work without a configuration'

# The user's mistake, at the user's line, and nvcc's word alone.
cp src/sgemm.cu "$root/right.cu"
sed -i 's/^    int unused_behind;/    int wrong = nothing_there;/' src/sgemm.cu
build && fail 'a wrong program was built'
grep -q 'sgemm.cu(24): error: identifier "nothing_there"' log || { fail 'the error is elsewhere'; cat log; }
[ "$(grep -c 'nothing_there.*is undefined' log)" = 1 ] || fail 'the error is said twice'
grep -q 'note: .*compiled as it is' log && fail 'a note beside the error'
cp "$root/right.cu" src/sgemm.cu

# What debuggers and profilers see: the user's file alone, at its lines.
"$launcher" nvcc -arch=sm_90 -lineinfo -Iinclude -ptx "$PWD/src/sgemm.cu" -o k.ptx >log 2>&1 || cat log
[ "$(grep -c '_stage\[8192\]' k.ptx)" = 2 ] || fail 'the PTX is not pipelined'
grep -q '\.pipelinify/' k.ptx && fail 'the PTX names the temporary file'
grep -q "\.file.*\"$PWD/src/sgemm.cu" k.ptx || fail 'the PTX does not name the source'
number=$(sed -n 's|.*\.file[^0-9]*\([0-9]*\) .*/src/sgemm.cu.*|\1|p' k.ptx | head -1)
lines=$(sed -n "s/.*\.loc[^0-9]*$number \([0-9]*\) .*/\1/p" k.ptx | sort -nu | tr '\n' ' ')
case " $lines" in *' 14 '*' 20 '*) ;; *) fail "lines of the PTX: $lines" ;; esac
for line in $lines; do
  [ "$line" = 0 ] || [ "$line" -ge 6 ] && [ "$line" -le 30 ] || fail "line $line of the PTX"
done

# In front of nvcc in a makefile, from another directory, with relative paths.
cat >Makefile <<END
NVCC = $launcher nvcc
k.o: src/sgemm.cu
	\$(NVCC) -arch=sm_90 -Xptxas=-v -Iinclude -MMD -MP -MF k.d -c src/sgemm.cu -o k.o
-include k.d
END
make >log 2>&1 || { fail make; cat log; }
[ "$(shared)" = 16384 ] || fail "make: not pipelined: $(shared)"
make | grep -q 'up to date' || fail 'make: work without a change'
touch src/tile.h
PIPELINIFY_NVCC_FLAGS=-v make >log 2>&1
grep -q 'cache: 1 hit' log || { fail 'make: a header beside the source, the cache'; cat log; }
grep -q 'sgemm.cu:13:5: remark: .*tile loop pipelined' log || fail 'make: no remark under -v'
grep -q '^k.o *: src/sgemm.cu' k.d && grep -q 'src/tile.h' k.d && grep -q '^src/tile.h:' k.d &&
  ! grep -q "$PWD/src\|pipelinify/" k.d || { fail 'make: the depfile'; grep -v /usr k.d; }
"$launcher" nvcc -arch=sm_90 -Xptxas=-v -Iinclude src/sgemm.cu src/main.cu -o together >log 2>&1 ||
  { fail 'two sources'; cat log; }
[ "$(shared)" = 16384 ] || fail "two sources: not pipelined: $(shared)"

# The sources are what they were, and nothing lies among them.
rm -rf build log k.ptx Makefile k.o k.d together
find . -type f | sort | diff "$root/before" - || fail 'files were left behind'
cmp "$root/right.cu" src/sgemm.cu || fail 'a source was changed'
[ $failed = 0 ] && echo fine
exit $failed
