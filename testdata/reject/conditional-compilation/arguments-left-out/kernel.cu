// What the macros are handed is left out, unless a build gives another one.
#include <cuda_runtime.h>

#ifndef KEEP
#define KEEP(what)
#endif

#ifndef COUNTED
#define COUNTED(what, ...) (what)
#endif

constexpr int T = 64;

// With -D'KEEP(what)=what' each tile is changed for the next.
__global__ void keeps(float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        KEEP(a[(i + 1) * T + t] += sum);
        __syncthreads();
    }
    out[t] = sum;
}

__device__ unsigned seen;

__global__ void counts(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = COUNTED(a[i * T + t], atomicAdd(&seen, 1u));
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

// What asks numbers does nothing, whatever a build makes of it; a function that counts
// its calls does.
__device__ unsigned asked;
__device__ bool is_small(float v) { return fabsf(v) < 1.0f; }
__device__ bool is_counted(float v)
{
    ++asked;
    return v < 1.0f;
}

__global__ void asks(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        KEEP(isfinite(sum) && is_small(sum) && fabsf(sum) < float(T));
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void asks_and_counts(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        KEEP(is_counted(sum));
        __syncthreads();
    }
    out[t] = sum;
}
