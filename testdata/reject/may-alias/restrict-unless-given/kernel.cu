// The macro says __restrict__ only where no build gives it: with -DRESTRICT= the stores
// may change what is loaded.
#include <cuda_runtime.h>

#ifndef RESTRICT
#define RESTRICT __restrict__
#endif

constexpr int T = 64;

__global__ void prefix_rows(const float *RESTRICT a, float *RESTRICT out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        out[i * T + t] = sum;
        __syncthreads();
    }
}

// A function that a kernel hands its own pointers to: what they are is for that one.
__device__ void rows(const float *a, float *out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
        out[i * T + t] = sum;
        __syncthreads();
    }
}

__global__ void by_function(const float *RESTRICT a, float *RESTRICT out, int n)
{
    rows(a, out, n);
}
