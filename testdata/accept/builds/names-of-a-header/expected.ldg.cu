// Weighted sums with a bias from a library whose macros and functions have the names that a rewrite would like to take.
#include "tile_tools.h"

#define w_stage2 "a word of this file's own macros"

// pipelinify: launch weighted_sums
//   sizes  n=0,64,128,192,256,320
//   target n=131072
//   grid   2
//   block  64
//   x:     in  [n * 2] random
//   y:     out [128]
//   n:     n
__device__ void load_row(float (&tile)[64], const float *row)
{
    tile[threadIdx.x] = row[threadIdx.x];
}

__device__ auto load_row_fetch2(const float *row)
{
    float tile_next = row[threadIdx.x];
    return tile_next;
}

__device__ void load_row_store2(float (&tile)[64], float tile_next)
{
    tile[threadIdx.x] = tile_next;
}

__global__ void weighted_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float w_stage3[2][64];
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source efc25ae8
    int i = 0, stage2 = 0;
    if (i < n) {
        load_row(w_stage3[0], row + i);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            auto w_next2 = load_row_fetch2(row + i);
            for (int k = 0; k < 64; ++k)
                sum += LIBRARY_BIAS(w_stage3[stage2][k ^ threadIdx.x]);
            stage2 ^= 1;
            load_row_store2(w_stage3[stage2], w_next2);
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += LIBRARY_BIAS(w_stage3[stage2][k ^ threadIdx.x]);
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}
