// Inline assembly of a header that does more than to compute.
#include <cuda_runtime.h>
#include "words.cuh"

__global__ void __launch_bounds__(64) keeps(const float *__restrict__ x, float *__restrict__ log,
                                            float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = keep(x[k + threadIdx.x], log + k + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(64) asks_ahead(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = ahead(x[k + threadIdx.x], x + k + 64);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(64) meets(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        meet();
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
