// A build's number chooses a class under another name, and its word a class: the texts stop
// where another one is chosen.
#include <type_traits>
#include <cuda_pipeline.h>

#ifndef MODE
#define MODE 0
#endif
#ifndef RULE
#define RULE Each
#endif

struct Each { __device__ static bool loads(int tile) { return true; } };
struct Even { __device__ static bool loads(int tile) { return tile % 2 == 0; } };

// pipelinify: launch by_condition
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_condition(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][64];
    float sum = 0.0f;
    typedef std::conditional<MODE == 0, Each, Even>::type Rule;
    // pipelinify: cp.async, 3 stages, source 81b757a5
    static_assert(__is_same(RULE, Each),
                  "pipelined for this RULE alone: run pipelinify again for another");
    static_assert((long long)MODE == 0,
                  "pipelined for this MODE alone: run pipelinify again for another");
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < tiles) {
            if (Rule::loads(tile_load))
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                        &from[tile_load * 64 + threadIdx.x], sizeof(float));
            ++tile_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int tile = 0; tile < tiles; ++tile) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += part_stage[stage][(threadIdx.x + 3) % 64] * (tile + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_word
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_word(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source a08a0505
    static_assert(__is_same(RULE, Each),
                  "pipelined for this RULE alone: run pipelinify again for another");
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < tiles) {
            if (RULE::loads(tile_load))
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                        &from[tile_load * 64 + threadIdx.x], sizeof(float));
            ++tile_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int tile = 0; tile < tiles; ++tile) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += part_stage[stage][(threadIdx.x + 3) % 64] * (tile + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[threadIdx.x] = sum;
}
