// Progress is told to a function that the host has chosen, which may do anything.
#include <cuda_runtime.h>

#define T 128

typedef void (*Progress)(int tile, float sum);

__global__ void totals(const float *x, float *y, int tiles, Progress told)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        if (told && t == 0)
            told(k, sum);
        __syncthreads();
    }
    y[t] = sum;
}

// ... or one of a table that it fills.
__constant__ Progress by_level[4];

__global__ void totals_by_level(const float *x, float *y, int tiles, int level)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        by_level[level](k, sum);
        __syncthreads();
    }
    y[t] = sum;
}
