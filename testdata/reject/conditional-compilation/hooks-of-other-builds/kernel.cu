// Places that a build may fill: here nothing happens there.
#include <cuda_runtime.h>

#ifndef ON_TILE
#define ON_TILE
#endif
#ifndef AFTER_TILE
#define AFTER_TILE() ((void)0)
#endif
#ifndef UNROLLED
#define UNROLLED // an attribute, or a pragma, of loops
#endif

constexpr int T = 64;

__global__ void watched(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        ON_TILE;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void followed(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        AFTER_TILE();
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void plain(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        UNROLLED
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    AFTER_TILE();
    out[t] = sum;
}
