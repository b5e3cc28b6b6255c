// What is left to do is counted in a cell behind the tile.
#include <cuda_runtime.h>

__global__ void drain(const int *__restrict__ queue, int *__restrict__ out, int n)
{
    extern __shared__ int smem[];
    int *tile = smem, *left = smem + 64;
    const int t = threadIdx.x;
    int sum = 0;
    const int *next = queue;

    if (t == 0)
        *left = n;
    __syncthreads();
    while (*left > 0) {
        tile[t] = next[t];
        next += 64;
        __syncthreads();
        sum += tile[63 - t];
        __syncthreads();
        if (t == 0)
            *left -= tile[0] & 63;
        __syncthreads();
    }
    out[t] = sum;
}
