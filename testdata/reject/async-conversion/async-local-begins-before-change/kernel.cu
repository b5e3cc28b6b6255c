// What the local begins with is computed from a number that moves on before the store.
#include <cuda_runtime.h>

__device__ float doubled(float x) { return 2.0f * x; }

__global__ void padded_sums(const float *__restrict__ a, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f, pad = 1.0f;
    for (int t = 0; t < tiles; ++t) {
        float v = doubled(pad);
        pad += 1.0f;
        if (threadIdx.x < 40)
            v = a[t * 64 + threadIdx.x];
        tile[threadIdx.x] = v;
        __syncthreads();
        for (int r = 0; r < 64; ++r)
            sum += tile[r];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// By a cast.
__global__ void numbered_sums(const float *__restrict__ a, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int pad = 0;
    for (int t = 0; t < tiles; ++t) {
        float v = (float)pad;
        pad += 3;
        if (threadIdx.x < 40)
            v = a[t * 64 + threadIdx.x];
        tile[threadIdx.x] = v;
        __syncthreads();
        for (int r = 0; r < 64; ++r)
            sum += tile[r];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
