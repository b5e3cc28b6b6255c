// A number that a build may give chooses the class whose method is called: one of them
// stores what a later tile is loaded from. The text stops where that is the one.
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
    // pipelinify: ldg, 2 stages, source 95e34739
    static_assert((long long)FEEDBACK == 0,
                  "pipelined for this FEEDBACK alone: run pipelinify again for another");
    int tile = 0, tile_tile = tile, stage = 0;
    if (tile < tiles) {
        part_stage[0][threadIdx.x] = line[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next = line[tile * 64 + threadIdx.x];
            sum += taken(part_stage[stage], line, tile_tile);
            ++tile_tile;
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += taken(part_stage[stage], line, tile_tile);
    }
    to[threadIdx.x] = sum;
}
