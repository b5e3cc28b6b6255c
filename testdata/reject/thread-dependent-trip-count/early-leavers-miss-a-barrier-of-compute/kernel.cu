// Threads leave at different tiles, and a barrier stands inside compute: it would be another one for the last tile.
#include <cuda_runtime.h>

__global__ void gather(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile[64];
    const int x = threadIdx.x;
    float s = 0.0f;
    for (int i = x; i < n; i += 64) {
        tile[x] = a[i];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
        tile[63 - x] = s;
        __syncthreads();
        s += tile[x];
        __syncthreads();
    }
    out[x] = s;
}
