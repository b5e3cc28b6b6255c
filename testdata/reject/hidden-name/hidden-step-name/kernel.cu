#include <cuda_runtime.h>

#define T 64

// The header's step would stand behind the inner 'step' and mean that one.
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
    int step = 1;
    float sum = 0.0f;
    for (int k = 0; k < tiles; k += step) {
        int step = t ^ 3;
        s[t] = x[k * T + step];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t];
        __syncthreads();
    }
    out[t] = sum;
}
