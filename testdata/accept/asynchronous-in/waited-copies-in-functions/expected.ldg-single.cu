// A loop in a function of the device's, whose callers copy nothing asynchronously.
#include <cuda_pipeline.h>

#define T 64
static __device__ float body(const float *__restrict__ a, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source 41efc915
    int k = 0;
    if (k < tiles) {
        s[threadIdx.x] = a[k * T + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = a[k * T + threadIdx.x];
            for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1);
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
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
