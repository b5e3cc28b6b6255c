// A loop in a function of the device's, whose callers copy nothing asynchronously.
#include <cuda_pipeline.h>

#define T 64
static __device__ float body(const float *__restrict__ a, int tiles)
{
    __shared__ float s_stage[2][T];
    float sum = 0;
    // pipelinify: cp.async, 2 stages, source 41efc915
    {
        int k = 0;
        if (k < tiles) {
            // Prologue: load the first tile.
            {
                auto &s = s_stage[0];
                __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], sizeof(float));
            }
            ++k;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; k < tiles; ++k) {
                {
                    auto &s = s_stage[stage ^ 1];
                    __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], sizeof(float));
                }
                __pipeline_commit();
                {
                    auto &s = s_stage[stage];
                    for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1);
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &s = s_stage[stage];
                for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1);
            }
            __syncthreads();
        }
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
