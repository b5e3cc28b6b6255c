// What the loop's header declares is not to be seen behind the loop, where the names are others'.
#include <cuda_runtime.h>
#include "place_limit.h"

#define WIDE 64
#define OWN_LIMIT (at + 1)

__device__ const int at = 3, last = 7;

struct steps {
    int from, last;
};

// By a macro of a header.
//
// pipelinify: launch by_header
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void by_header(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (int first = 0; first < n; ++first) {
        tile[threadIdx.x] = a[first * WIDE + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    out[threadIdx.x] = sum * LIMIT;
}

// By a macro of the file.
//
// pipelinify: launch by_file
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void by_file(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (int at = 0; at < n; ++at) {
        tile[threadIdx.x] = a[at * WIDE + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    out[threadIdx.x] = sum * OWN_LIMIT;
}

// Names that are bound.
//
// pipelinify: launch bound
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void bound(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (auto [from, last] = steps{0, n}; from < last; ++from) {
        tile[threadIdx.x] = a[from * WIDE + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    out[threadIdx.x] = sum * last;
}

// A type.
//
// pipelinify: launch typed
//   sizes n=0,1,2,3,5
//   block 64
//   a:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void typed(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[WIDE];
    float sum = 0;
    for (struct steps { int k; } it{0}; it.k < n; ++it.k) {
        tile[threadIdx.x] = a[it.k * WIDE + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    steps behind{1, 2};
    out[threadIdx.x] = sum * behind.last;
}
