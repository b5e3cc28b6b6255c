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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source cba4dfc0
    {
        int first = 0, stage = 0;
        if (first < n) {
            tile_stage[0][threadIdx.x] = a[first * WIDE + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++first; first < n; ++first) {
                float tile_next = a[first * WIDE + threadIdx.x];
                sum += tile_stage[stage][threadIdx.x ^ 1];
                stage ^= 1;
                tile_stage[stage][threadIdx.x] = tile_next;
                __syncthreads();
            }
            sum += tile_stage[stage][threadIdx.x ^ 1];
        }
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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 25dc2038
    {
        int at = 0, stage = 0;
        if (at < n) {
            tile_stage[0][threadIdx.x] = a[at * WIDE + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++at; at < n; ++at) {
                float tile_next = a[at * WIDE + threadIdx.x];
                sum += tile_stage[stage][threadIdx.x ^ 1];
                stage ^= 1;
                tile_stage[stage][threadIdx.x] = tile_next;
                __syncthreads();
            }
            sum += tile_stage[stage][threadIdx.x ^ 1];
        }
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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source f6e612eb
    {
        auto [from, last] = steps{0, n};
        if (from < last) {
            int stage = 0;
            tile_stage[0][threadIdx.x] = a[from * WIDE + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++from; from < last; ++from) {
                float tile_next = a[from * WIDE + threadIdx.x];
                sum += tile_stage[stage][threadIdx.x ^ 1];
                stage ^= 1;
                tile_stage[stage][threadIdx.x] = tile_next;
                __syncthreads();
            }
            sum += tile_stage[stage][threadIdx.x ^ 1];
        }
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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 6e82dbac
    {
        struct steps { int k; } it{0};
        if (it.k < n) {
            int stage = 0;
            tile_stage[0][threadIdx.x] = a[it.k * WIDE + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++it.k; it.k < n; ++it.k) {
                float tile_next = a[it.k * WIDE + threadIdx.x];
                sum += tile_stage[stage][threadIdx.x ^ 1];
                stage ^= 1;
                tile_stage[stage][threadIdx.x] = tile_next;
                __syncthreads();
            }
            sum += tile_stage[stage][threadIdx.x ^ 1];
        }
    }
    steps behind{1, 2};
    out[threadIdx.x] = sum * behind.last;
}
