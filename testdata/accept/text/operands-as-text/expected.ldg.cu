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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 2d290bb4
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            sum += PLAIN(tile, threadIdx.x ^ 1);
            REPORT(tile[0] > 100);
        };
        tile_stage[0][threadIdx.x] = a[k * WIDE + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next = a[k * WIDE + threadIdx.x];
            compute_tile();
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 6e275a64
    int k = 0, k_tile = k, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            auto &k = k_tile;
            sum += tile[threadIdx.x ^ 1] * BY_LENGTH(k) + THROUGH(BY_LENGTH, tile[threadIdx.x]);
        };
        tile_stage[0][threadIdx.x] = a[BY_LENGTH(k) / 2 * WIDE + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next = a[BY_LENGTH(k) / 2 * WIDE + threadIdx.x];
            compute_tile();
            ++k_tile;
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
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
    __shared__ float tile_stage[2][WIDE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 338328d9
    int k = 0, stage = 0;
    if (BY_LENGTH(k) < 2 * n) {
        tile_stage[0][threadIdx.x] = a[k * WIDE + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; BY_LENGTH(k) < 2 * n; ++k) {
            float tile_next = a[k * WIDE + threadIdx.x];
            sum += tile_stage[stage][threadIdx.x ^ 1];
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        sum += tile_stage[stage][threadIdx.x ^ 1];
    }
    out[threadIdx.x] = sum;
}
