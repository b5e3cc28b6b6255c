// Lambdas that copy a tile asynchronously.
#include <cuda_pipeline.h>
#define T 64

// pipelinify: launch alone
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void alone(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    auto load = [&](int k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
    };
    for (int k = 0; k < tiles; ++k) {
        load(k);
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[(threadIdx.x + j) % T] * (j + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// It serves in front of the loop, too.
// pipelinify: launch twice
//   sizes    tiles=1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void twice(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    auto load = [&](int k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
    };
    load(0);
    __pipeline_wait_prior(0);
    __syncthreads();
    const float first = s[T - 1 - threadIdx.x];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        load(k);
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[(threadIdx.x + j) % T] * (j + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum + first;
}
