// Defaults that hand on what they are handed, or leave it out: a build may give one that sets it.
#include <cuda_runtime.h>

#ifndef SEEN
#define SEEN(x) (x)
#endif

#ifndef TRACE
#define TRACE(x) ((void)0)
#endif

#ifndef LARGER
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#endif

constexpr int T = 64;

// -D'SEEN(x)=((x) = 0)' changes a later tile.
__global__ void stores(float *a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        sum += s[t ^ 1] + SEEN(a[(i + 1) * T + t]);
        __syncthreads();
    }
    out[t] = sum;
}

// -D'TRACE(x)=++(x)' takes each other tile.
__global__ void counts(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        sum += s[t ^ 1];
        TRACE(i);
        __syncthreads();
    }
    out[t] = sum;
}

// -D'TRACE(x)=--(x)' ends sooner.
__global__ void ends(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        sum += s[t ^ 1];
        TRACE((n));
        __syncthreads();
    }
    out[t] = sum;
}

// Sums, values and constants are no place that the loads need, and LARGER does more than
// to hand on.
__global__ void asks(const float *__restrict__ a, float *__restrict__ out, const int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = SEEN(a[i * T + t]);
        __syncthreads();
        SEEN(sum) += SEEN(s[t ^ 1] + i) + LARGER(i, n);
        TRACE(sum);
        TRACE(a[i]);
        TRACE(n);
        __syncthreads();
    }
    out[t] = sum;
}
