#include <cuda_runtime.h>

// A table in global memory whose entry leads to shared memory: the kernel says so.
__device__ const float *table[2];

__global__ void weighted(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    __shared__ float weights[64];
    const int t = threadIdx.x;
    weights[t] = x[t];
    table[0] = weights;
    __syncthreads();
    const float *from = table[0];
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[t] = from[(k + t) & 63];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * i;
        __syncthreads();
    }
    y[t] = sum;
}

__device__ void fill(float *tile, const float *from, int i)
{
    tile[threadIdx.x] = from[i];
}

// The same through a helper.
__global__ void weighted_by_helper(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    __shared__ float weights[64];
    const int t = threadIdx.x;
    weights[t] = x[t];
    table[1] = weights;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        fill(tile, table[1], (k + t) & 63);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * i;
        __syncthreads();
    }
    y[t] = sum;
}
