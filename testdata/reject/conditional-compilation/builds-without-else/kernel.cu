// What other builds see, where no #else says it: a second group for where the name is not
// given, or a macro that is taken back. And names that begin as the compiler's do, which a
// command gives all the same, or another compiler than the one that looks.
#include <cuda_runtime.h>

#define T 64

#ifdef SHARED_WITH_HOST
typedef volatile float sample;
#endif
#ifndef SHARED_WITH_HOST
typedef float sample;
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

#define APART __restrict__
#ifdef BUFFERS_MEET
#undef APART
#define APART
#endif

__global__ void apart(const float *APART x, float *APART y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        y[i + t] = sum;
        __syncthreads();
    }
}

#ifdef _DEBUG
#define KEEP(p, v) *(p) = (v)
#else
#define KEEP(p, v)
#endif

__global__ void kept(float *x, float *y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        KEEP(x + i + t + 1, sum);
        __syncthreads();
    }
    y[t] = sum;
}

#if defined(__clang__)
#define NO_ALIAS __restrict__
#else
#define NO_ALIAS
#endif

__global__ void by_compiler(const float *NO_ALIAS x, float *NO_ALIAS y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        y[i + t] = sum;
        __syncthreads();
    }
}

#ifdef STORED
__device__ void report(float *p, float v) { *p = v; }
#endif
#ifndef STORED
__device__ void report(float *, float) {}
#endif

__global__ void reported(float *x, float *y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        report(x + i + t + 1, sum);
        __syncthreads();
    }
    y[t] = sum;
}

// Both texts allow it, and each compiler of hosts has a word for it.
#ifdef WEIGHTED
#define WEIGHT(j) ((j) * 0.5f)
#endif
#ifndef WEIGHTED
#define WEIGHT(j) (j)
#endif
#ifdef __GNUC__
#define ASIDE __restrict__
#else
#define ASIDE __restrict
#endif

__global__ void weighted(const float *ASIDE x, float *ASIDE y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        s[t] = x[i + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * WEIGHT(j ^ t);
        y[i + t] = sum;
        __syncthreads();
    }
}
