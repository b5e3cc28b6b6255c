// What a command gives is asked by a macro of the file's, and decides which header is read.
#include <cuda_runtime.h>

#define T 64

#define SOURCE_IS(which) (SOURCE == which)
#define LIVE SOURCE_IS(3)

#if LIVE
#define STORED(p, v) *(p) = (v)
#else
#define STORED(p, v)
#endif

__global__ void stored(float *x, float *y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        STORED(x + i + t + 1, sum);
        __syncthreads();
    }
    y[t] = sum;
}

#ifdef FROM_DEVICE
#include "live.h"
#else
#include "recorded.h"
#endif

__global__ void of_samples(const sample *x, float *y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
