// What the loop's header declares is not to be seen behind the loop, where the names are others'.
#include <cuda_runtime.h>
#include "place_limit.h"
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][WIDE];
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source cba4dfc0
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                    &a[first_load * WIDE + threadIdx.x], sizeof(float));
            ++first_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = 0; first < n; ++first) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += tile_stage[stage][threadIdx.x ^ 1];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][WIDE];
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source 25dc2038
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                    &a[at_load * WIDE + threadIdx.x], sizeof(float));
            ++at_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; ++at) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += tile_stage[stage][threadIdx.x ^ 1];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][WIDE];
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source 6e82dbac
    {
        struct steps { int k; } it{0};
        auto it_load = it;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (it_load.k < n) {
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                        &a[it_load.k * WIDE + threadIdx.x], sizeof(float));
                ++it_load.k;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        int stage = 0;
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (; it.k < n; ++it.k) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            sum += tile_stage[stage][threadIdx.x ^ 1];
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
    }
    steps behind{1, 2};
    out[threadIdx.x] = sum * behind.last;
}
