#include <cuda_runtime.h>

#define T 64

// The tile moves in front of the loop, where 'CELLS' is another one.
// pipelinify: launch sums
//   sizes    T=64 tiles=0,1,2,3,5
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void sums(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
    constexpr int CELLS = 64;
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        constexpr int CELLS = 128;
        __shared__ float s[CELLS];
        s[t] = x[k * T + t];
        s[t + 64] = x[k * T + 63 - t];
        __syncthreads();
        for (int j = 0; j < CELLS; ++j)
            sum += s[j ^ t];
        __syncthreads();
    }
    out[t] = sum * CELLS;
}
