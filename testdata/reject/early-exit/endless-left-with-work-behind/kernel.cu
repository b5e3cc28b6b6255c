// Loops that are left behind a barrier, or before the end of their body, where more than barriers and one step stands
// between.
#include <cuda_runtime.h>

#define T 64

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
