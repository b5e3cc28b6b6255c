// A local that is loaded under a condition, and is more than what goes to the tile.
#include <cuda_runtime.h>

#define T 32

// It is scaled on the way.
__global__ void scaled(const float *__restrict__ x, float *__restrict__ y, int n, float by)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        float v = 0.0f;
        if (i + t < n)
            v = x[i + t];
        v *= by;
        s[t] = v;
        __syncthreads();
        sum += s[T - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// What the condition asks for is another number when the tile is stored to.
__global__ void limit_lowered(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T], w[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        int limit = n;
        float v = 0.0f;
        if (i + t < limit)
            v = x[i + t];
        limit -= T;
        s[t] = v;
        w[t] = i + t < limit ? 2.0f * x[i + t + T] : 0.0f;
        __syncthreads();
        sum += s[T - 1 - t] * w[t];
        __syncthreads();
    }
    y[t] = sum;
}

// Otherwise it is loaded from elsewhere.
__global__ void two_sources(const float *__restrict__ x, const float *__restrict__ z,
                            float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        float v = 0.0f;
        if (i + t < n / 2)
            v = x[i + t];
        else
            v = z[i + t];
        s[t] = v;
        __syncthreads();
        sum += s[T - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// A second condition gives it a last value.
__global__ void set_twice(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        float v = 0.0f;
        if (i + t < n)
            v = x[i + t];
        if (i + t == n - 1)
            v = 1.0f;
        s[t] = v;
        __syncthreads();
        sum += s[T - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// It is a wider number than the tile's.
__global__ void narrowed(const double *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        double v = 0.0;
        if (i + t < n)
            v = x[i + t];
        s[t] = v;
        __syncthreads();
        sum += s[T - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// A flag in memory says whether it is loaded.
__global__ void flagged(const float *__restrict__ x, const int *__restrict__ flag,
                        float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        float v = 0.0f;
        if (flag[i + t])
            v = x[i + t];
        s[t] = v;
        __syncthreads();
        sum += s[T - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}
