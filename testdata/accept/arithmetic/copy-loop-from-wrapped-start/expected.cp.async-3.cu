// A copy loop that begins below zero, in unsigned numbers: what is added to its
// counter brings it back, so that it runs four rounds, not three.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch before_the_row
//   sizes tiles=0,1,2,5
//   target tiles=4096
//   grid   1
//   block  64
//   x:     in  [tiles * 256] random
//   y:     out [64]
//   tiles: tiles
__global__ void before_the_row(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][256];
    const unsigned t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 36b5635a
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (unsigned i = t - 64u; i + 64u < 256u; i += 64u)
                __pipeline_memcpy_async(&row_stage[load_stage][i + 64u], &x[k_load * 256 + i + 64u],
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
        for (int i = 0; i < 256; ++i)
            sum += row_stage[stage][i] * (float)(i % 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}
