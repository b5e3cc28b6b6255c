// A function is handed the thread's own start, and what its caller does behind the loop is not known there.
#include <cuda_runtime.h>

__device__ float fold(const float *__restrict__ a, int i, int n)
{
    __shared__ float tile[64];
    float s = 0.0f;
    for (; i < n; i += 64) {
        tile[threadIdx.x] = a[i];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    return s;
}

__global__ void folds(int n, const float *__restrict__ a, float *__restrict__ out)
{
    out[threadIdx.x] = fold(a, threadIdx.x, n);
}
