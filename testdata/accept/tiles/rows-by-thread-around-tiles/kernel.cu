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
        for (int k = 0; k < 2; ++k) {
            tile[threadIdx.x] = m[r * 2 + k];
            __syncthreads();
            for (int j = 0; j < 32; ++j)
                s += tile[j] * (j + 1 + k);
            __syncthreads();
        }
        v[r] = s;
    }
}
