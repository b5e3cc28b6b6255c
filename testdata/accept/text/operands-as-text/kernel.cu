// Macros that make strings of what they are handed: `#x` says how tiles and counters are called.
#include <cuda_runtime.h>
#include "reports.h"

#define WIDE 64
#define BY_LENGTH(x) ((x) * (int)sizeof(#x))
#define THROUGH(macro, x) macro(x)
#define PLAIN(p, i) p[i]

// A check that says what failed.
//
// pipelinify: launch checked
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in    [n * 64 + 1]
//   out:  out   [64]
//   said: inout [1]
//   n:    n
__global__ void checked(const float *__restrict__ a, float *__restrict__ out, int *__restrict__ said, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        tile[threadIdx.x] = a[k * WIDE + threadIdx.x];
        __syncthreads();
        sum += PLAIN(tile, threadIdx.x ^ 1);
        REPORT(tile[0] > 100);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// What is loaded, and what is added, hangs on how long the operand is.
//
// pipelinify: launch measured
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in  [n * 128 + 1]
//   out:  out [64]
//   n:    n
__global__ void measured(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        tile[threadIdx.x] = a[BY_LENGTH(k) / 2 * WIDE + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1] * BY_LENGTH(k) + THROUGH(BY_LENGTH, tile[threadIdx.x]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A condition of that kind: no copy of the counter can stand in it.
//
// pipelinify: launch bounded
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void bounded(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (int k = 0; BY_LENGTH(k) < 2 * n; ++k) {
        tile[threadIdx.x] = a[k * WIDE + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
