// What a thread counts at the head says how many of the block's loads are made.
#include <cuda_runtime.h>

__global__ void few(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    __shared__ int open_;
    const int x = threadIdx.x;
    float s = 0.0f;
    for (int t = 0; t < n; ++t) {
        if (x == 0)
            open_ = 64 - t % 8;
        __syncthreads();
        tile[x] = x < open_ ? a[t * 64 + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    out[x] = s;
}
