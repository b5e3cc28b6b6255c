// Weighted sums with a bias from a library whose macros and functions have the names that a rewrite would like to take.
#include "tile_tools.h"
#include <cuda_pipeline.h>

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

__device__ void load_row_async2(float (&tile)[64], const float *row)
{
    __pipeline_memcpy_async(&tile[threadIdx.x], &row[threadIdx.x], sizeof(float));
}

__global__ void weighted_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float w_stage3[2][64];
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source efc25ae8
    {
        int i = 0;
        if (i < n) {
            // Prologue: load the first tile.
            {
                auto &w = w_stage3[0];
                load_row_async2(w, row + i);
            }
            i += 64;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage2 = 0;
            for (; i < n; i += 64) {
                {
                    auto &w = w_stage3[stage2 ^ 1];
                    load_row_async2(w, row + i);
                }
                __pipeline_commit();
                {
                    auto &w = w_stage3[stage2];
                    for (int k = 0; k < 64; ++k)
                        sum += LIBRARY_BIAS(w[k ^ threadIdx.x]);
                }
                stage2 ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &w = w_stage3[stage2];
                for (int k = 0; k < 64; ++k)
                    sum += LIBRARY_BIAS(w[k ^ threadIdx.x]);
            }
        }
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}
