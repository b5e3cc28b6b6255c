// Enumerators are what a build makes them: each tile may be loaded but now and then, and
// what stands behind the end may be no zero.
#include <cuda_pipeline.h>

#ifndef EVERY
#define EVERY 1
#endif
#ifndef BEYOND
#define BEYOND 0
#endif

enum { every = EVERY, beyond = BEYOND, width = 64, half = width / 2 };

// pipelinify: launch held
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void held(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[width];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile % every == 0)
            part[threadIdx.x] = from[tile * width + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + half) % width] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch ended
//   sizes   n=0,1,63,64,65,130
//   block   64
//   from:   in [n + 64] random
//   to:     out [64]
//   n:      n
__global__ void ended(const int *__restrict__ from, int *__restrict__ to, int n)
{
    constexpr int stages = 3;
    __shared__ int part_stage[stages][width];
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source 99a62540
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            const int at = first_load + threadIdx.x;
            if (at < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &from[at],
                                        sizeof(int));
            } else {
                part_stage[load_stage][threadIdx.x] = beyond;
            }
            first_load += width;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = 0; first < n; first += width) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum = sum * 3 + part_stage[stage][(threadIdx.x + half) % width];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[threadIdx.x] = sum;
}
