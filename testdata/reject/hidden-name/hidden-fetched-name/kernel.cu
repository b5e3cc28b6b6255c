#include <cuda_runtime.h>

#define T 64

// 'sum' is scaled by the outer 'value', before the tile's own is declared.
// pipelinify: launch sums
//   sizes    T=64 tiles=0,1,2,3,5
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void sums(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    const float value = 0.5f;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        sum *= value;
        const float value = x[k * T + t];
        s[t] = value;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t];
        __syncthreads();
    }
    out[t] = sum;
}
