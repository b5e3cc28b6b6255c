// The head changes a row that another thread loads behind the barrier.
#include <cuda_runtime.h>

__global__ void stir(float *a, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    const int x = threadIdx.x;
    float s = 0.0f;
    for (int t = 0; t < n; ++t) {
        a[t * 64 + 63 - x] += s;
        __syncthreads();
        tile[x] = a[t * 64 + x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    out[x] = s;
}
