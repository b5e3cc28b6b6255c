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
    {
        int s = 0;
        if (s < steps) {
            __syncthreads();
            // Prologue: load the first tile.
            {
                auto &push = push_stage[0];
                __pipeline_memcpy_async(&push[me], &pushes[s * 64 + me], sizeof(float));
            }
            ++s;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; s < steps; ++s) {
                {
                    auto &push = push_stage[stage ^ 1];
                    __pipeline_memcpy_async(&push[me], &pushes[s * 64 + me], sizeof(float));
                }
                __pipeline_commit();
                {
                    auto &push = push_stage[stage];
                    const float other = place[(me + 17) % 64];
                    __syncthreads();
                    float all = 0.0f;
                    for (int k = 0; k < 64; ++k)
                        all += push[k] * push[(k + me) % 64];
                    place[me] = 0.9f * other + 0.01f * all;
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &push = push_stage[stage];
                const float other = place[(me + 17) % 64];
                __syncthreads();
                float all = 0.0f;
                for (int k = 0; k < 64; ++k)
                    all += push[k] * push[(k + me) % 64];
                place[me] = 0.9f * other + 0.01f * all;
            }
        }
    }
}
