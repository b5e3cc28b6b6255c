// nvcc is told nothing of where the buffers lie: what the header says for clang, which reads
// this file here, is no build's.
#include <cuda_runtime.h>

#include "promises.h"

#define T 64

__global__ void running(const float *APART x, float *APART y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        y[i + t] = sum;
        __syncthreads();
    }
}
