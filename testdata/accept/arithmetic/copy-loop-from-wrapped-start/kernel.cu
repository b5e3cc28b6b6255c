// A copy loop that begins below zero, in unsigned numbers: what is added to its
// counter brings it back, so that it runs four rounds, not three.
#include <cuda_runtime.h>

// pipelinify: launch before_the_row
//   sizes tiles=0,1,2,5
//   target tiles=4096
//   grid   1
//   block  64
//   x:     in  [tiles * 256] random
//   y:     out [64]
//   tiles: tiles
__global__ void before_the_row(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float row[256];
    const unsigned t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        for (unsigned i = t - 64u; i + 64u < 256u; i += 64u)
            row[i + 64u] = x[k * 256 + i + 64u];
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += row[i] * (float)(i % 3);
        __syncthreads();
    }
    y[t] = sum;
}
