// Macros that make a part of a statement, and a part of what stands beside it.
#include <cuda_runtime.h>

#define TILE 64

#define IF_INSIDE(i) if ((i) + threadIdx.x < n)
#define ELSE else
#define INTO_EACH(i, count) for (int i = threadIdx.x; i < (count); i += TILE)
#define COUNTED *scale; seen += 1.0f
#define SCALED *scale

__global__ void guarded(const float *__restrict__ in, float *__restrict__ out, int n, float scale)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        IF_INSIDE(i) part[threadIdx.x] = in[i + threadIdx.x] SCALED; ELSE part[threadIdx.x] = 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void counted(const float *__restrict__ in, float *__restrict__ out, int n, float scale)
{
    __shared__ float part[TILE];
    float sum = 0.0f, seen = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x] COUNTED;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        sum /= seen;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void each(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[2 * TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 2 * TILE) {
        if (i >= 0) INTO_EACH(j, 2 * TILE) part[j] = in[i + j];
        __syncthreads();
        for (int k = 0; k < 2 * TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A macro that ends where a part of a statement ends is no hindrance.
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int n, float scale)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        if (i + threadIdx.x < n) {
            part[threadIdx.x] = in[i + threadIdx.x] SCALED;
        } else {
            part[threadIdx.x] = 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
