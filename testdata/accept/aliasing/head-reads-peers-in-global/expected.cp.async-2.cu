// A population in global memory: each member looks at another one ahead of the tile, and moves behind it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch drift
//   sizes  steps=0,1,2,5
//   target steps=8192
//   grid   1
//   block  64
//   pushes: in    [steps * 64] random
//   place:  inout [64] random
//   steps:  steps
__global__ void drift(const float *__restrict__ pushes, float *place, int steps)
{
    __shared__ float push_stage[2][64];
    const int me = threadIdx.x;

    // pipelinify: cp.async, 2 stages, source b383e0fa
    int s_load = 0, stage = 0;
    if (s_load < steps) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (s_load < steps) {
            __pipeline_memcpy_async(&push_stage[load_stage][me], &pushes[s_load * 64 + me], sizeof(float));
            ++s_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int s = 0; s < steps; ++s) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const float other = place[(me + 17) % 64];
        __syncthreads();
        float all = 0.0f;
        for (int k = 0; k < 64; ++k)
            all += push_stage[stage][k] * push_stage[stage][(k + me) % 64];
        place[me] = 0.9f * other + 0.01f * all;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}
