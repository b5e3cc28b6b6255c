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
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * weights[(j + t) % T];
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
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        __syncthreads();
        const float &weight = weights[t ^ 3];
        for (int j = 0; j < T; ++j)
            sum += s[j] * weight;
        __syncthreads();
    }
    float &mine = weights[t];
    mine = sum;
}
