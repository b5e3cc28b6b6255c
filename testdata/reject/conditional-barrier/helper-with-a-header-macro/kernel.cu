// A helper that waits says a macro of a header, whose body means the header's variable: at the call the kernel's own has its name.
#include "calibration.cuh"

#define LOADED(p) SCALED((p)[threadIdx.x])

__device__ void fill(float *row, const float *from)
{
    row[threadIdx.x] = SCALED(from[threadIdx.x]);
    __syncthreads();
}

__device__ void fill_by_two(float *row, const float *from)
{
    row[threadIdx.x] = LOADED(from);
    __syncthreads();
}

__global__ void direct(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    float sum = 0.0f, factor = 0.5f;
    for (int i = 0; i < n; ++i) {
        fill(row, a + i * 64);
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum * factor;
}

__global__ void by_another_macro(const float *__restrict__ a, float *__restrict__ out, int n, float factor)
{
    __shared__ float row[64];
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        fill_by_two(row, a + i * 64);
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum * factor;
}
