// Threads go through rows of their own, each of several tiles; where the rows end, some threads stay for one more.
#include <cuda_runtime.h>

// pipelinify: launch rows
//   sizes  rows_=32,40,64,75
//   target rows_=4096
//   grid   1
//   block  32
//   rows_: rows_
//   m:     in  [rows_ * 64] random
//   v:     out [rows_]
__global__ void rows(int rows_, const float *__restrict__ m, float *__restrict__ v)
{
    __shared__ float tile[32];

    for (int r = threadIdx.x; r < rows_; r += 32) {
        float s = 0.0f;
        // pipelinify: ldg-single, 1 stage, source 81ec9560
        int k = 0, k_tile = k;
        tile[threadIdx.x] = m[r * 2 + k];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < 2; ++k) {
            float tile_next = m[r * 2 + k];
            for (int j = 0; j < 32; ++j)
                s += tile[j] * (j + 1 + k_tile);
            ++k_tile;
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int j = 0; j < 32; ++j)
            s += tile[j] * (j + 1 + k_tile);
        __syncthreads();
        v[r] = s;
    }
}
