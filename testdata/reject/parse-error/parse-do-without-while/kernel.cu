#include <cuda_runtime.h>

// A do whose while has been lost.
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    int t = 0;
    do {
        tile[threadIdx.x] = x[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * i;
        __syncthreads();
        t += 64;
    }

    y[threadIdx.x] = sum;
}
