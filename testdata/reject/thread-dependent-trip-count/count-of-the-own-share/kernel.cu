// How many tiles a thread has is worked out from its index.
#include <cuda_runtime.h>

__global__ void gather(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile[64];
    const int x = threadIdx.x;
    float s = 0.0f;
    const int tiles = (n - x + 63) / 64;
    for (int t = 0; t < tiles; ++t) {
        tile[x] = a[t * 64 + x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    out[x] = s;
}
