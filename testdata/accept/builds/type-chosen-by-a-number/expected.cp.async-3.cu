// A number that a build may give chooses the type of the elements. The text that is made
// of this one takes them for floats, which are not volatile, and stops where they are not.
#include <cuda_pipeline.h>

#ifndef WATCHED
#define WATCHED 0
#endif
#define TYPE_OF(watched) Chosen<watched>::type

template <int> struct Chosen { typedef float type; };
template <> struct Chosen<1> { typedef volatile float type; };
template <int N> struct Gains { float of[N]; };

typedef TYPE_OF(WATCHED) element;
constexpr int taps = WATCHED ? 8 : 4;

// pipelinify: launch filtered
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void filtered(const element *__restrict__ from, float *__restrict__ to, int tiles)
{
    constexpr int stages = 3;
    __shared__ element part_stage[stages][64];
    const Gains<taps> gains = {{1.0f, 0.5f, 0.25f, 0.125f}};
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source f4c16a55
    static_assert(__is_same(element, float),
                  "pipelined for this element alone: run pipelinify again for another");
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < tiles) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &from[tile_load * 64 + threadIdx.x], sizeof(element));
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
        for (int tap = 0; tap < taps; ++tap)
            sum += part_stage[stage][(threadIdx.x + tap) % 64] * gains.of[tap];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[threadIdx.x] = sum;
}
