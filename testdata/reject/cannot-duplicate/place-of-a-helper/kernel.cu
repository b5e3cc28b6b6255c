// Counts by way of a header's macros, and functions that are split.
#include <cuda_runtime.h>

#include "salt.h"

__device__ void load_named(float *part, const float *__restrict__ in)
{
    part[threadIdx.x] = in[threadIdx.x] * (1.0f / sizeof(__func__));
}

__global__ void named(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[LANES];
    float sum = 0.0f;
    for (int i = 0; i < n; i += LANES) {
        load_named(part, in + i);
        __syncthreads();
        for (int k = 0; k < LANES; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void counted(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[LANES];
    float sum = 0.0f;
    for (int i = 0; i < n; i += LANES) {
        part[threadIdx.x] = in[i + threadIdx.x] + STREAM_HERE;
        __syncthreads();
        for (int k = 0; k < LANES; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void unsalted(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[LANES];
    float sum = 0.0f;
    for (int i = 0; i < n; i += LANES) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < LANES; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
