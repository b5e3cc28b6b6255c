// Macros that make strings of what they are handed: `#x` says how tiles and counters are called.
#include <cuda_runtime.h>
#include "reports.h"
#include <cuda_pipeline.h>

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
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][WIDE];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source 2d290bb4
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &a[k_load * WIDE + threadIdx.x],
                                    sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &tile = tile_stage[stage];
        sum += PLAIN(tile, threadIdx.x ^ 1);
        REPORT(tile[0] > 100);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
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
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][WIDE];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source 6e275a64
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &k = k_load;
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &a[BY_LENGTH(k) / 2 * WIDE + threadIdx.x],
                                    sizeof(float));
            ++k;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &tile = tile_stage[stage];
        sum += tile[threadIdx.x ^ 1] * BY_LENGTH(k) + THROUGH(BY_LENGTH, tile[threadIdx.x]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
