// A loop that goes on for ever here may not be run at all in another build, and the load of
// the next tile may ask for one more there.
#include <cuda_pipeline.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef AHEAD
#define AHEAD 1
#endif

// pipelinify: launch rounds
//   sizes   n=1,64,65,128,300
//   block   64
//   from:   in [n + 64] random
//   to:     out [64]
//   n:      n
__global__ void rounds(const float *__restrict__ from, float *__restrict__ to, int n)
{
    constexpr int stages = 4;
    __shared__ float part_stage[stages][64];
    float sum = 0.0f;
    int first = 0;
    // pipelinify: cp.async, 4 stages, source d93fcbff
    int first_load = first, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if ((ROUNDS) && first_load < n) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &from[first_load + threadIdx.x], sizeof(float),
                                    (first_load + threadIdx.x < n) ? 0 : sizeof(float));
            first_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while ((ROUNDS) && first < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 64; ++k)
            sum += part_stage[stage][k] * (k ^ threadIdx.x);
        first += 64;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[threadIdx.x] = sum;
}

// pipelinify: launch refilled
//   sizes   tiles=1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void refilled(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    part[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    {
        int tile = 0;
        if (tile < tiles) {
            {
                for (int k = 0; k < 64; ++k)
                    sum += part[k] * (k ^ threadIdx.x);
                __syncthreads();
            }
            auto tile_before = tile;
            // pipelinify: ldg-single, 1 stage, source 09044b7e
            ++tile;
            if (tile < tiles) {
                if (tile_before + AHEAD < tiles)
                    part[threadIdx.x] = from[(tile_before + 1) * 64 + threadIdx.x];
                ++tile, ++tile_before;
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (; tile < tiles; ++tile, ++tile_before) {
                    float part_next;
                    if (tile_before + AHEAD < tiles)
                        part_next = from[(tile_before + 1) * 64 + threadIdx.x];
                    for (int k = 0; k < 64; ++k)
                        sum += part[k] * (k ^ threadIdx.x);
                    __syncthreads();
                    if (tile_before + AHEAD < tiles)
                        part[threadIdx.x] = part_next;
                    __syncthreads();
                }
                for (int k = 0; k < 64; ++k)
                    sum += part[k] * (k ^ threadIdx.x);
                __syncthreads();
            }
        }
    }
    to[threadIdx.x] = sum;
}
