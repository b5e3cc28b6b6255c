#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// Every thread reads all weights while it computes, and writes one of them
// behind the loop: the barrier that ends the loop keeps the two apart.
// pipelinify: launch relax
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=2048
//   block    T
//   x:       in [tiles * T] random
//   weights: inout [T] random
//   tiles:   tiles
__global__ void relax(const float *__restrict__ x, float *weights, int tiles)
{
    __shared__ float s_stage[2][T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 6f54ca9b
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][t], &x[k_load * T + t], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j] * weights[(j + t) % T];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    weights[t] = sum;
}

// The same through references.
// pipelinify: launch relax_one
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=2048
//   block    T
//   x:       in [tiles * T] random
//   weights: inout [T] random
//   tiles:   tiles
__global__ void relax_one(const float *__restrict__ x, float *weights, int tiles)
{
    __shared__ float s_stage[2][T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 14b69258
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][t], &x[k_load * T + t], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const float &weight = weights[t ^ 3];
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j] * weight;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    float &mine = weights[t];
    mine = sum;
}
