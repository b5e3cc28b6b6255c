// A global pointer leads to the order in which the tiles are read, in shared memory; compute changes that by name.
#include <cuda_runtime.h>

__device__ int *order;

__global__ void shuffle(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    __shared__ int rank[64];
    const int x = threadIdx.x;
    rank[x] = x;
    if (x == 0)
        order = rank;
    float s = 0.0f;
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        tile[x] = a[t * 64 + order[x]];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        rank[(x + 1) % 64] = (x * 7 + t) % 64;
        __syncthreads();
    }
    out[x] = s;
}
