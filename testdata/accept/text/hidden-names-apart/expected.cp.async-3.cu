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
    constexpr int stages = 3;
    __shared__ float s_stage[stages][T];
    const int t = threadIdx.x;
    const int column = 5;
    Pair total = {0.0f, 1.0f};
    // pipelinify: cp.async, 3 stages, source 058d5f63
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            const int column = t ^ 3;
            __pipeline_memcpy_async(&s_stage[load_stage][t],
                                    &x[k_load * T + column], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int column = t ^ 3;
        total.scale *= 0.5f;
        using Sum = float;
        Sum value = 0.0f;
        for (int j = 0; j < T; ++j) {
            const int t = j ^ column;
            value += s_stage[stage][t];
        }
        total.value += value * total.scale;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = total.value + column;
}
