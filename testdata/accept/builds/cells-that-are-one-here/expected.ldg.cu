// Two numbers of this build are one: in another one what is read is not what was loaded, and
// a helper stores elsewhere.
#ifndef LOADED
#define LOADED 0
#endif
#ifndef USED
#define USED 0
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

__device__ void put(float *cell, float v) { cell[SHIFT] = v; }

__device__ auto put_fetch(float v) {
    float cell_next = v;
    return cell_next;
}

__device__ void put_store(float *cell, float cell_next) {
    cell[SHIFT] = cell_next;
}

// pipelinify: launch chosen
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void chosen(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part_stage[2][64];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source f82490e8
    int tile = 0, tile_tile = tile, stage = 0;
    if (tile < tiles) {
        {
            float v[2];
            v[LOADED] = from[tile * 64 + threadIdx.x];
            v[1] = 0.5f;
            part_stage[0][threadIdx.x] = v[USED];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float v[2];
            v[LOADED] = from[tile * 64 + threadIdx.x];
            v[1] = 0.5f;
            sum += part_stage[stage][(threadIdx.x + 3) % 64] * (tile_tile + 1);
            ++tile_tile;
            stage ^= 1;
            part_stage[stage][threadIdx.x] = v[USED];
            __syncthreads();
        }
        sum += part_stage[stage][(threadIdx.x + 3) % 64] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch shifted
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void shifted(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part_stage[2][128];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source d850e7d1
    int tile = 0, tile_tile = tile, stage = 0;
    if (tile < tiles) {
        put(&part_stage[0][threadIdx.x], from[tile * 64 + threadIdx.x]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            auto part_next = put_fetch(from[tile * 64 + threadIdx.x]);
            sum += part_stage[stage][(threadIdx.x + 3) % 64 + SHIFT] * (tile_tile + 1);
            ++tile_tile;
            stage ^= 1;
            put_store(&part_stage[stage][threadIdx.x], part_next);
            __syncthreads();
        }
        sum += part_stage[stage][(threadIdx.x + 3) % 64 + SHIFT] * (tile_tile + 1);
    }
    to[threadIdx.x] = sum;
}
