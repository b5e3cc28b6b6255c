// A number that a build may give chooses the class whose method is called: one of them
// stores what a later tile is loaded from. The text stops where that is the one.
#include <cuda_pipeline.h>

#ifndef FEEDBACK
#define FEEDBACK 0
#endif

template <int N> struct Tap {
    static __device__ float take(const float *part, float *line, int tile)
    {
        return part[(threadIdx.x + 1) % 64];
    }
};
template <> struct Tap<1> {
    static __device__ float take(const float *part, float *line, int tile)
    {
        const float v = part[(threadIdx.x + 1) % 64];
        line[(tile + 1) * 64 + threadIdx.x] = v;
        return v;
    }
};

__device__ float taken(const float *part, float *line, int tile)
{
    return Tap<FEEDBACK>::take(part, line, tile) * 0.5f;
}

// pipelinify: launch delayed
//   sizes   tiles=0,1,2,3,6
//   block   64
//   line:   inout [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void delayed(float *line, float *__restrict__ to, int tiles)
{
    __shared__ float part_stage[2][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 95e34739
    static_assert((long long)FEEDBACK == 0,
                  "pipelined for this FEEDBACK alone: run pipelinify again for another");
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < tiles) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &line[tile_load * 64 + threadIdx.x], sizeof(float));
            ++tile_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int tile = 0; tile < tiles; ++tile) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum += taken(part_stage[stage], line, tile);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    to[threadIdx.x] = sum;
}
