// Loops that count down where they ask, and that are left at the end of their bodies.
#include <cuda_runtime.h>

#define TILE 64

// The header's step moves the rows on, and its test counts the tiles down; what is
// left of both is written out.
// pipelinify: launch row_sums
//   sizes    tiles=0,1,2,3,5,9 rows=2
//   target   tiles=4096 rows=1024
//   grid     rows
//   block    64
//   a:       in  [rows * tiles * 64]
//   y:       out [rows * 64]
//   ends:    out [rows * 2]
//   tiles:   tiles
__global__ void row_sums(const float *a, float *__restrict__ y, int *__restrict__ ends, unsigned tiles)
{
    __shared__ float part_stage[2][TILE];
    const float *row = a + (size_t)blockIdx.x * tiles * TILE, *at = row;
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 34b8f613
    if (tiles--) {
        unsigned int tiles_tile = tiles;
        int stage = 0;
        part_stage[0][t] = at[t];
        at += TILE;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (tiles--) {
            float part_next = at[t];
            for (int i = 0; i < TILE; ++i)
                sum += part_stage[stage][i] * (float)(tiles_tile + (i ^ t));
            tiles_tile--;
            stage ^= 1;
            part_stage[stage][t] = part_next;
            at += TILE;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            sum += part_stage[stage][i] * (float)(tiles_tile + (i ^ t));
    }
    y[blockIdx.x * TILE + t] = sum;
    if (t == 0) {
        ends[blockIdx.x * 2] = (int)tiles;
        ends[blockIdx.x * 2 + 1] = (int)(at - row);
    }
}

// The break at the head counts, and so does the last statement of the body.
// pipelinify: launch head_counts
//   sizes    tiles=0,1,2,3,5,9
//   target   tiles=4096
//   grid     2
//   block    64
//   a:       in  [tiles * 64]
//   y:       out [128]
//   tiles:   tiles
__global__ void head_counts(const float *__restrict__ a, float *__restrict__ y, int tiles)
{
    __shared__ float part_stage[2][TILE];
    const int t = threadIdx.x;
    int tile = 0;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 25774bff
    if (!(tiles-- == 0)) {
        int tiles_tile = tiles;
        int stage = 0;
         // nothing is left
        part_stage[0][t] = a[tile * TILE + t];
        ++tile;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (!(tiles-- == 0)) {
            // nothing is left
            float part_next = a[tile * TILE + t];
            for (int i = 0; i < TILE; ++i)
                sum += part_stage[stage][i] * (float)(tiles_tile + (i ^ t));
            tiles_tile--;
            stage ^= 1;
            part_stage[stage][t] = part_next;
            ++tile;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            sum += part_stage[stage][i] * (float)(tiles_tile + (i ^ t));
    }
    y[blockIdx.x * TILE + t] = sum + (float)(tile + tiles);
}

// At most so many tiles, and as many as there are.
// pipelinify: launch first_tiles
//   sizes    n=0,64,128,192,320,576 most=1,2,9,12
//   target   n=65536 most=512
//   grid     2
//   block    64
//   a:       in  [n]
//   y:       out [128]
//   seen:    out [2]
//   n:       n
//   most:    most
__global__ void first_tiles(const float *__restrict__ a, float *__restrict__ y,
                            int *__restrict__ seen, int n, int most)
{
    __shared__ float part_stage[2][TILE];
    const int t = threadIdx.x;
    int k = 0, tiles = 0;
    float sum = 0.0f;
    if (k < n) // pipelinify: ldg, 2 stages, source f23207ad
    {
        int stage = 0;
        part_stage[0][t] = a[k + t];
        k += TILE;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (!((++tiles == most) || !(k < n))) {
            float part_next = a[k + t];
            for (int i = 0; i < TILE; ++i)
                sum += part_stage[stage][i] * (float)(i ^ t);
            stage ^= 1;
            part_stage[stage][t] = part_next;
            k += TILE;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            sum += part_stage[stage][i] * (float)(i ^ t);
        __syncthreads();
    }
    y[blockIdx.x * TILE + t] = sum;
    if (t == 0)
        seen[blockIdx.x] = k + tiles;
}

// Two jumps where one would do.
// pipelinify: launch goes_on_or_not
//   sizes    tiles=1,2,3,5,9
//   target   tiles=4096
//   grid     2
//   block    64
//   a:       in  [tiles * 64]
//   y:       out [128]
//   tiles:   tiles
__global__ void goes_on_or_not(const float *__restrict__ a, float *__restrict__ y, int tiles)
{
    __shared__ float part_stage[2][TILE];
    const int t = threadIdx.x;
    int tile = 0;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 699bcb7d
    int stage = 0;
    part_stage[0][t] = a[tile * TILE + t];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while ((++tile < tiles)) {
        float part_next = a[tile * TILE + t];
        for (int i = 0; i < TILE; ++i)
            sum += part_stage[stage][i] * (float)(i ^ t);
        stage ^= 1;
        part_stage[stage][t] = part_next;
        __syncthreads();
    }
    for (int i = 0; i < TILE; ++i)
        sum += part_stage[stage][i] * (float)(i ^ t);
    y[blockIdx.x * TILE + t] = sum + (float)tile;
}
