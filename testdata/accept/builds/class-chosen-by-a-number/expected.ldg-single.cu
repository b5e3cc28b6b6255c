// A build's number chooses a class under another name, and its word a class: the texts stop
// where another one is chosen.
#include <type_traits>

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
    __shared__ float part[64];
    float sum = 0.0f;
    typedef std::conditional<MODE == 0, Each, Even>::type Rule;
    // pipelinify: ldg-single, 1 stage, source 81b757a5
    static_assert(__is_same(RULE, Each),
                  "pipelined for this RULE alone: run pipelinify again for another");
    static_assert((long long)MODE == 0,
                  "pipelined for this MODE alone: run pipelinify again for another");
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        if (Rule::loads(tile))
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next;
            if (Rule::loads(tile))
                part_next = from[tile * 64 + threadIdx.x];
            sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            __syncthreads();
            if (Rule::loads(tile))
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
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
    __shared__ float part[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a08a0505
    static_assert(__is_same(RULE, Each),
                  "pipelined for this RULE alone: run pipelinify again for another");
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        if (RULE::loads(tile))
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next;
            if (RULE::loads(tile))
                part_next = from[tile * 64 + threadIdx.x];
            sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            __syncthreads();
            if (RULE::loads(tile))
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}
