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

__global__ void weighted_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float w[64];
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        load_row(w, row + i);
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += LIBRARY_BIAS(w[k ^ threadIdx.x]);
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}
