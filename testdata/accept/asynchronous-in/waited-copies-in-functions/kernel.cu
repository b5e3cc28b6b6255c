// A loop in a function of the device's, whose callers copy nothing asynchronously.
#include <cuda_pipeline.h>

#define T 64
static __device__ float body(const float *__restrict__ a, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1);
        __syncthreads();
    }
    return sum;
}
// pipelinify: launch whole
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void whole(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    out[threadIdx.x] = body(a, tiles);
}
