// What ends the body stands behind the compute of its tile, and ahead of the next one's:
// the barrier between the two phases of compute stays, and the next tile is loaded
// meanwhile. So with sums of warps, with values that all threads of the block leave for
// another one, in shared or in global memory, and where the last statement writes them.

#include <cuda_pipeline.h>

// pipelinify: launch sums_of_blocks
//   sizes    tiles=0,1,2,3,5,8
//   block    64
//   from:    in [tiles * 64 + 64] random
//   to:      out [64]
//   tiles:   tiles
__global__ void __launch_bounds__(64)
sums_of_blocks(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][64];
    __shared__ float part[2];
    const int x = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source f9b5b094
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            __pipeline_memcpy_async(&tile_stage[load_stage][x], &from[t_load * 64 + x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float v = tile_stage[stage][63 - x];
        for (int o = 16; o > 0; o >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, o);
        if (x % 32 == 0)
            part[x / 32] = v;
        __syncthreads();
        sum = sum * 0.5f + part[0] + part[1];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[x] = sum;
}

// pipelinify: launch left_for_others
//   sizes    tiles=0,1,2,3,5,8
//   block    64
//   from:    in [tiles * 64 + 64] random
//   row:     inout [64] random
//   to:      out [64]
//   tiles:   tiles
__global__ void __launch_bounds__(64)
left_for_others(const float *__restrict__ from, float *__restrict__ row, float *__restrict__ to, int tiles)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][64];
    __shared__ float left[64];
    const int x = threadIdx.x;
    float sum = 0.0f;
    left[x] = 1.0f;
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        // pipelinify: cp.async, 3 stages, source eb4e044d
        int t_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (t_load < tiles) {
                __pipeline_memcpy_async(&tile_stage[load_stage][x], &from[t_load * 64 + (x ^ round)], sizeof(float));
                ++t_load;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int t = 0; t < tiles; ++t) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            float v = left[63 - x];
            for (int k = 0; k < 64; ++k)
                v += tile_stage[stage][k] * (k ^ x);
            row[x] = v;
            __syncthreads();
            sum = sum * 0.5f + row[x ^ 33];
            left[x] = v;
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        __syncthreads();
        sum += left[x ^ 5];
        __syncthreads();
    }
    to[x] = sum;
}
