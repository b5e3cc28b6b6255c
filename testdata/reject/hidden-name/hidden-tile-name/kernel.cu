#include <cuda_runtime.h>

#define T 64

// The tile hides a pointer that the text in front of its declaration reads.
// pipelinify: launch sums
//   sizes    T=64 tiles=0,1,2,3,5
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void sums(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
    const int t = threadIdx.x;
    const float *s = x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        const float first = s[t];
        __shared__ float s[T];
        s[t] = x[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * first;
        __syncthreads();
    }
    out[t] = sum;
}
