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
<<<<<<< HEAD
    constexpr int stages = 4;
    __shared__ float push_stage[stages][64];
=======
    __shared__ float push_stage[8][64];
>>>>>>> 88cb0bde (plan: where the source says that a grid does not fill a GPU, auto takes as many stages as fit; --probe asks nvcc which forms keep their loads ahead)
    const int me = threadIdx.x;

    // pipelinify: cp.async, 8 stages, source b383e0fa
    {
        int s = 0;
        auto s_load = s;
        if (s_load < steps) {
            __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (s_load < steps) {
                auto &push = push_stage[load_stage];
                auto &s = s_load;
                __pipeline_memcpy_async(&push[me], &pushes[s * 64 + me], sizeof(float));
                ++s;
            }
            __pipeline_commit();
        };

<<<<<<< HEAD
        // Prologue: start copying the first stages - 1 tiles.
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);

        // Main loop: stages - 1 tiles are in flight while computing on one.
        int stage = 0;
        for (; s < steps; ++s) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
=======
        // Prologue: start copying the first 7 tiles.
        for (int load_stage = 0; load_stage < 7; ++load_stage)
            copy_tile(load_stage);

        // Main loop: 7 tiles are in flight while computing on one.
        int stage = 0;
        for (; s < steps; ++s) {
            __pipeline_wait_prior(6);
            __syncthreads();
            copy_tile(stage == 0 ? 7 : stage - 1);
>>>>>>> 88cb0bde (plan: where the source says that a grid does not fill a GPU, auto takes as many stages as fit; --probe asks nvcc which forms keep their loads ahead)
            {
                auto &push = push_stage[stage];
                const float other = place[(me + 17) % 64];
                __syncthreads();
                float all = 0.0f;
                for (int k = 0; k < 64; ++k)
                    all += push[k] * push[(k + me) % 64];
                place[me] = 0.9f * other + 0.01f * all;
            }
<<<<<<< HEAD
            stage = stage == stages - 1 ? 0 : stage + 1;
=======
            stage = stage == 7 ? 0 : stage + 1;
>>>>>>> 88cb0bde (plan: where the source says that a grid does not fill a GPU, auto takes as many stages as fit; --probe asks nvcc which forms keep their loads ahead)
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
}
