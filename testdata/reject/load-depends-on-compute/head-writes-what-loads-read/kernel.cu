// Each thread says at the head which row another one loads.
#include <cuda_runtime.h>

__global__ void relay(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    __shared__ int row[64];
    const int x = threadIdx.x;
    float s = 0.0f;
    for (int t = 0; t < n; ++t) {
        row[63 - x] = t * 64 + x;
        __syncthreads();
        tile[x] = a[row[x]];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    out[x] = s;
}
