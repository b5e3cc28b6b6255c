// Numbers without signs, where what is left may be less than nothing, and so a large number: compute
// would read what no thread has loaded for this tile.
#include <cuda_runtime.h>

constexpr unsigned T = 32;

// The loop ends elsewhere.
__global__ void ends_elsewhere(const float *__restrict__ x, float *__restrict__ out, unsigned n, unsigned end)
{
    __shared__ float tile[T];
    float sum = 0.f;
    for (unsigned f = 0; f < end; f += T) {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// It ends at the very number.
__global__ void ends_at(const float *__restrict__ x, float *__restrict__ out, unsigned n, unsigned end)
{
    __shared__ float tile[T];
    float sum = 0.f;
    for (unsigned f = 0; f != end; f += T) {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The number that was asked has been changed.
__global__ void asked_before(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    __shared__ float tile[T];
    float sum = 0.f;
    unsigned f = 0, g = 0;
    while (f < n) {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - g); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
        f += T;
        g += 2 * T;
    }
    out[threadIdx.x] = sum;
}

// It is asked behind the tile.
__global__ void asked_behind(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    __shared__ float tile[T];
    float sum = 0.f;
    unsigned f = 0;
    do {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - 1 - f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
        f += T;
    } while (f < n);
    out[threadIdx.x] = sum;
}

// One of two may hold.
__global__ void one_of_two(const float *__restrict__ x, float *__restrict__ out, unsigned n, unsigned end)
{
    __shared__ float tile[T];
    float sum = 0.f;
    for (unsigned f = 0; f < n || f < end; f += T) {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// One is taken away too many.
__global__ void one_less(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    __shared__ float tile[T];
    float sum = 0.f;
    for (unsigned f = 0; f < n; f += T) {
        if (f + threadIdx.x < n - 2)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - f - 2); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The numbers that are compared have signs.
__global__ void with_signs(const float *__restrict__ x, float *__restrict__ out, int n, unsigned last)
{
    __shared__ float tile[T];
    float sum = 0.f;
    for (int f = 0; f < n; f += T) {
        if (f + threadIdx.x < last)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, last - (unsigned)f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
