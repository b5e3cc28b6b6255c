// Copy loops whose counters, first values and steps are narrower than int, and hold
// something else than what they are set to.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch byte_counter
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   x:     in  [tiles * 512] random
//   y:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
byte_counter(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    constexpr int stages = 3;
    __shared__ float rows_stage[stages][4][128];
    const int t = threadIdx.x;
    int origin = 260;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 790553bb
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (unsigned char r = (unsigned char)origin; r < 8; ++r) {
                // from 4
                __pipeline_memcpy_async(&rows_stage[load_stage][r - 4][t],
                                        &x[k_load * 512 + (r - 4) * 128 + t], sizeof(float));
            }
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
        for (int i = 0; i < 512; ++i)
            sum += rows_stage[stage][i / 128][i % 128] * (float)((i + t) & 7);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}

// pipelinify: launch narrow_steps
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   x:     in  [tiles * 1024] random
//   y:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
narrow_steps(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float low_stage[stages][512], high_stage[stages][512];
    const int t = threadIdx.x;
    signed char quarter = 256 + 32; // 32
    unsigned char nothing = 512;    // 0
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 96f52ce7
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == (4 * quarter) && (size_t)x % 16 == 0 &&
                        blockDim.x == (128 + nothing);
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            if (joined) {
                for (int i = 4 * t; i < 512; i += 4 * (4 * quarter))
                    __pipeline_memcpy_async(&low_stage[load_stage][i], &x[k_load * 1024 + i], 16);
                for (int i = 4 * t; i < 512; i += 4 * (128 + nothing))
                    __pipeline_memcpy_async(&high_stage[load_stage][i], &x[k_load * 1024 + 512 + i],
                                            16);
            } else {
                for (int i = t; i < 512; i += 4 * quarter)
                    __pipeline_memcpy_async(&low_stage[load_stage][i], &x[k_load * 1024 + i],
                                            sizeof(float));
                for (int i = t; i < 512; i += 128 + nothing)
                    __pipeline_memcpy_async(&high_stage[load_stage][i], &x[k_load * 1024 + 512 + i],
                                            sizeof(float));
            }
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
        for (int i = 0; i < 512; ++i)
            sum += low_stage[stage][i] * high_stage[stage][511 - i] * (float)((i ^ t) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}
