// A share of the tile that a float is computed for: 1.5 of 400, not 1.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch one_and_a_half
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  100
//   p:     in  [tiles * 600] random
//   q:     out [100]
//   tiles: tiles
__global__ void one_and_a_half(const float *__restrict__ p, float *__restrict__ q, int tiles)
{
<<<<<<< HEAD
    constexpr int stages = 4;
    __shared__ float part_stage[stages][600];
=======
    __shared__ float part_stage[8][600];
>>>>>>> 88cb0bde (plan: where the source says that a grid does not fill a GPU, auto takes as many stages as fit; --probe asks nvcc which forms keep their loads ahead)
    const int t = threadIdx.x;
    float share = 3;
    int cells = share / 2 * 400;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 331a7b0b
    {
        int k = 0;
        auto k_load = k;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < tiles) {
                auto &part = part_stage[load_stage];
                auto &k = k_load;
                for (int i = t; i < cells; i += 100) {
                    __pipeline_memcpy_async(&part[i], &p[k * 600 + i], sizeof(float));
                }
                ++k;
            }
            __pipeline_commit();
        };

<<<<<<< HEAD
        // Prologue: start copying the first stages - 1 tiles.
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);

        // Main loop: stages - 1 tiles are in flight while computing on one.
        int stage = 0;
        for (; k < tiles; ++k) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
=======
        // Prologue: start copying the first 7 tiles.
        for (int load_stage = 0; load_stage < 7; ++load_stage)
            copy_tile(load_stage);

        // Main loop: 7 tiles are in flight while computing on one.
        int stage = 0;
        for (; k < tiles; ++k) {
            __pipeline_wait_prior(6);
            __syncthreads();
            copy_tile(stage == 0 ? 7 : stage - 1);
>>>>>>> 88cb0bde (plan: where the source says that a grid does not fill a GPU, auto takes as many stages as fit; --probe asks nvcc which forms keep their loads ahead)
            {
                auto &part = part_stage[stage];
                for (int i = 0; i < 600; ++i)
                    sum += part[i] * (float)((i * t) & 3);
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
    q[t] = sum;
}
