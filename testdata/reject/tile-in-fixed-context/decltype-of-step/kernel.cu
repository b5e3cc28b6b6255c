#include <cuda_runtime.h>

#define T 64

// The copy of 'k' that the load side moves goes by a reference: decltype would
// make one of 'at', and 'at *= T' would move the loop.
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
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        decltype(k) at = k;
        at *= T;
        s[t] = x[at + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t];
        __syncthreads();
    }
    out[t] = sum;
}
