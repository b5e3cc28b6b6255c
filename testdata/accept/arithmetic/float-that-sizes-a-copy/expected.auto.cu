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
    constexpr int stages = 8;
    __shared__ float part_stage[stages][600];
    const int t = threadIdx.x;
    float share = 3;
    int cells = share / 2 * 400;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 331a7b0b
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int i = t; i < cells; i += 100)
                __pipeline_memcpy_async(&part_stage[load_stage][i], &p[k_load * 600 + i],
                                        sizeof(float));
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
        for (int i = 0; i < 600; ++i)
            sum += part_stage[stage][i] * (float)((i * t) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    q[t] = sum;
}
