// A flag that the head sets for all threads decides over the next tile.
#include <cuda_runtime.h>

__global__ void until(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    __shared__ int more;
    const int x = threadIdx.x;
    float s = 0.0f;
    if (x == 0)
        more = n;
    __syncthreads();
    for (int t = 0; t < more; ++t) {
        __syncthreads();
        if (x == t % 64 && s > 100.0f)
            more = t;
        __syncthreads();
        tile[x] = a[t * 64 + x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    out[x] = s;
}
