// Whole rows, but the oldest target has no bulk copies.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) energy(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    for (int k = 0; k < n; k += 256) {
        tile[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += tile[i] * tile[(i + threadIdx.x) % 256];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
