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
