// A loop in a function of the device's, whose callers copy nothing asynchronously.
#include <cuda_pipeline.h>

#define T 64
static __device__ float body(const float *__restrict__ a, int tiles)
{
    __shared__ float s_stage[2][T];
    float sum = 0;
    // pipelinify: cp.async, 2 stages, source 41efc915
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &a[k_load * T + threadIdx.x],
                                    sizeof(float));
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
        for (int j = 0; j < T; ++j) sum += s_stage[stage][(threadIdx.x + j) % T] * (j + 1);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
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
