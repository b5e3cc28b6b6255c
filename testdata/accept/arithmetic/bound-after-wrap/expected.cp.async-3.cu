// Bounds that unsigned arithmetic has wrapped for: shifted, divided, taken the
// remainder of.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch mask_of_ones
//   sizes tiles=0,1,2,3
//   target tiles=2048
//   grid   1
//   block  256
//   x:     in  [tiles * 1024] random
//   y:     out [256]
//   tiles: tiles
__global__ void __launch_bounds__(256)
mask_of_ones(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float tile_stage[stages][1024];
    const int t = threadIdx.x;
    unsigned lanes = 32;
    int live = (int)((lanes - 33u) >> 22) - 123; // 1023 - 123
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 94016e28
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 256 && (size_t)x % 16 == 0;
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            if (joined) {
                for (int i = 4 * t; i < live; i += 4 * 256)
                    __pipeline_memcpy_async(&tile_stage[load_stage][i], &x[k_load * 1024 + i], 16);
            } else {
                for (int i = t; i < live; i += 256)
                    __pipeline_memcpy_async(&tile_stage[load_stage][i], &x[k_load * 1024 + i],
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
        for (int i = 0; i < 900; ++i)
            sum += tile_stage[stage][i] * (float)((i * 3 + t) & 7);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}

// pipelinify: launch quotient_of_wrapped
//   sizes tiles=0,1,2,5
//   target tiles=2048
//   grid   1
//   block  256
//   x:     in  [tiles * 1024] random
//   y:     out [256]
//   tiles: tiles
__global__ void __launch_bounds__(256)
quotient_of_wrapped(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][1024];
    const int t = threadIdx.x;
    int shift = -7;
    unsigned taps = 5;
    int first = shift / 4u >> 22;             // 255
    int last = (taps - 6) / 8388608 + first;  // 511 + 255
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source d63e6d94
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int i = first + t - 255; i < last; i += 256)
                __pipeline_memcpy_async(&tile_stage[load_stage][i], &x[k_load * 1024 + i],
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
        for (int i = 0; i < 766; ++i)
            sum += tile_stage[stage][i] * (float)((i ^ t) & 7);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}
