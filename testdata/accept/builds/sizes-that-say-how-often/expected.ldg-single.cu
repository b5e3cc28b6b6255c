// How often a tile is loaded is the size of a record, or of an array, or what a template makes
// of a number: another build's may be another one.
#ifndef EVERY
#define EVERY 1
#endif

struct Header { char bytes[EVERY]; };
template <int N> struct Rate { enum { tiles = N }; };
template <int N> struct Kind { static const bool always = true; };
template <> struct Kind<2> { static const bool always = false; };

// pipelinify: launch by_record
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_record(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 3d4a7274
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        if (tile % sizeof(Header) == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next;
            if (tile % sizeof(Header) == 0)
                part_next = from[tile * 64 + threadIdx.x];
            sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            __syncthreads();
            if (tile % sizeof(Header) == 0)
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_array
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_array(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    char marks[EVERY];
    // pipelinify: ldg-single, 1 stage, source c25bf06b
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        if (tile % (int)sizeof(marks) == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next;
            if (tile % (int)sizeof(marks) == 0)
                part_next = from[tile * 64 + threadIdx.x];
            sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            __syncthreads();
            if (tile % (int)sizeof(marks) == 0)
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_template
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_template(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source f5e7ceda
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        if (tile % Rate<EVERY>::tiles == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next;
            if (tile % Rate<EVERY>::tiles == 0)
                part_next = from[tile * 64 + threadIdx.x];
            sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            __syncthreads();
            if (tile % Rate<EVERY>::tiles == 0)
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_kind
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_kind(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source db3eee90
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        if (Kind<EVERY>::always || tile % 2 == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float part_next;
            if (Kind<EVERY>::always || tile % 2 == 0)
                part_next = from[tile * 64 + threadIdx.x];
            sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            __syncthreads();
            if (Kind<EVERY>::always || tile % 2 == 0)
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        sum += part[(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}
