// Threads that leave early read the tile behind the loop: a barrier would have to stand there.
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
    }
    s += tile[63 - x];
    out[x] = s;
}
