#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source 6f54ca9b
    int k = 0, stage = 0;
    if (k < tiles) {
        s_stage[0][t] = x[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j] * weights[(j + t) % T];
            stage ^= 1;
            s_stage[stage][t] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j] * weights[(j + t) % T];
        __syncthreads();
    }
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
    // pipelinify: ldg, 2 stages, source 14b69258
    int k = 0, stage = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            const float &weight = weights[t ^ 3];
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j] * weight;
        };
        s_stage[0][t] = x[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            compute_tile();
            stage ^= 1;
            s_stage[stage][t] = s_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    float &mine = weights[t];
    mine = sum;
}
