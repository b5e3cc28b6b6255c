// Loops that are left behind a barrier, or before the end of their body, where more than barriers and one step stands
// between.
#include <cuda_runtime.h>

#define T 64

// The test reads what the barrier before it orders.
__global__ void limit_in_shared(const float *__restrict__ x, const int *__restrict__ limits, float *__restrict__ y)
{
    __shared__ float s[T];
    __shared__ int limit;
    float sum = 0.f;
    int k = 0;
    if (threadIdx.x == 0)
        limit = limits[blockIdx.x];
    for (;;) {
        __syncthreads();
        if (k >= limit)
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        k += T;
    }
    y[threadIdx.x] = sum;
}

// A header of its own leaves the loop without the barrier.
__global__ void two_ways_out(const float *__restrict__ x, float *__restrict__ y, int n, int most)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        __syncthreads();
        if (k >= most)
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
    }
    y[threadIdx.x] = sum;
}

// Half of the work is done when the loop is left.
__global__ void half_a_round(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    for (;;) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        sum += s[T - 1 - threadIdx.x];
        k += T;
        if (k >= n)
            break;
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A sum is not what a loop's header steps.
__global__ void counts_what_goes_on(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    for (;;) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        k += T;
        if (k >= n)
            break;
        __syncthreads();
        sum += 1.0f;
    }
    y[threadIdx.x] = sum;
}

// Each thread leaves when its own part is done: some wait for ever.
__global__ void leaves_alone(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    while (true) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        k += T;
        if (k + (int)threadIdx.x >= n)
            break;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The flag is of the tile's own: another thread may fill the next one before all have asked.
__global__ void asks_the_tile(const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    while (true) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        k += T;
        if (s[0] < 0.f)
            break;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The next place depends on what was computed.
__global__ void jumps_by_result(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    while (true) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        if (k >= n)
            break;
        k += (int)s[0] * T;
    }
    y[threadIdx.x] = sum;
}
