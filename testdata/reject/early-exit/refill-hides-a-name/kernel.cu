// Behind the exit a name means something else than ahead of it, and an exit of the first loop
// may stand in other builds alone.
#include <cuda_runtime.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f, v = 0.25f;
    int first = 0;
    s[t] = t < n ? a[t] : 0.0f;
    __syncthreads();
    for (;;) {
        for (int k = 0; k < 64; ++k)
            sum += s[k] * v;
        first += 64;
        if (first >= n)
            break;
        __syncthreads();
        const float v = first + t < n ? a[first + t] : 0.0f;
        s[t] = v;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void asked(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    int first = 0;
    s[t] = t < n ? a[t] : 0.0f;
    __syncthreads();
    while (ROUNDS) {
        for (int k = 0; k < 64; ++k)
            sum += s[k];
        first += 64;
        if (first >= n)
            break;
        __syncthreads();
        s[t] = first + t < n ? a[first + t] : 0.0f;
        __syncthreads();
    }
    out[t] = sum;
}
