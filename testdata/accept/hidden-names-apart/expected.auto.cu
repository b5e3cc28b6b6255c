#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// Names of inner blocks, members and names that the loop does not use under
// another meaning may be hidden; a type that compute alone uses may be local.
// pipelinify: launch sums
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
struct Pair {
    float value, scale;
};

__global__ void sums(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
<<<<<<< HEAD
    constexpr int stages = 4;
    __shared__ float s_stage[stages][T];
=======
    __shared__ float s_stage[8][T];
>>>>>>> 88cb0bde (plan: where the source says that a grid does not fill a GPU, auto takes as many stages as fit; --probe asks nvcc which forms keep their loads ahead)
    const int t = threadIdx.x;
    const int column = 5;
    Pair total = {0.0f, 1.0f};
    // pipelinify: cp.async, 8 stages, source 058d5f63
    {
        int k = 0;
        auto k_load = k;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < tiles) {
                auto &s = s_stage[load_stage];
                auto &k = k_load;
                const int column = t ^ 3;
                __pipeline_memcpy_async(&s[t], &x[k * T + column],
                                        sizeof(float));
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
                auto &s = s_stage[stage];
                const int column = t ^ 3;
                total.scale *= 0.5f;
                using Sum = float;
                Sum value = 0.0f;
                for (int j = 0; j < T; ++j) {
                    const int t = j ^ column;
                    value += s[t];
                }
                total.value += value * total.scale;
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
    out[t] = total.value + column;
}
