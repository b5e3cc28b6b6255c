// A header's functions and classes ask for the line of those that use them.
#include "tagged.h"

#define LANES 64

__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[LANES];
    float sum = 0.0f;
    for (int i = 0; i < n; i += LANES) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < LANES; ++k)
            sum += part[k ^ threadIdx.x] / (k + 1);
        __syncthreads();
    }
    out[threadIdx.x] = salted(sum);
}

__global__ void tagged(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[LANES];
    float sum = 0.0f;
    for (int i = 0; i < n; i += LANES) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < LANES; ++k)
            sum += part[k ^ threadIdx.x] / (k + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum + Tag().line;
}

__global__ void stamped(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[LANES];
    float sum = 0.0f;
    for (int i = 0; i < n; i += LANES) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < LANES; ++k)
            sum += part[k ^ threadIdx.x] / (k + 1);
        __syncthreads();
    }
    Stamp stamp;
    out[threadIdx.x] = sum + stamp.line;
}
