#include <cuda_runtime.h>

// Cells that wander with the tile are no alternating buffers.
__global__ void by_thread(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    float sum = 0;
    int pos;
    pos = threadIdx.x;
    for (int t = 0; t < n; t += 32) {
        s[(t + pos) & 63] = a[t + pos];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

__global__ void by_counter(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < n; t += 48) {
        if (threadIdx.x == 0)
            for (int i = 0; i < 64; i++)
                s[(t + i) % 64] = a[t + i];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
