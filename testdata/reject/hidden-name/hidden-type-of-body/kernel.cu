#include <cuda_runtime.h>

#define T 64

// Loads that run ahead stand outside the scope of the inner 'Value' and would
// find the outer one.
// pipelinify: launch sums
//   sizes    T=64 tiles=0,1,2,3,5
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void sums(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
    using Value = double;
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        enum Value : int {};
        s[t] = (Value)(x[k * T + t] * 100.0f);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * (Value)1.5f;
        __syncthreads();
    }
    out[t] = sum + (Value)0.5;
}
