// Dot products of the rows of two matrices; the header forbids names that the
// tool would choose.
#include "elsewhere.h"

__global__ void row_dots(const float *__restrict__ x, const float *__restrict__ y,
                         float *__restrict__ out, int tiles)
{
    __shared__ float a[16][33], b[16][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        a[ty][tx] = x[(t * 16 + ty) * 32 + tx];
        b[ty][tx] = y[(t * 16 + ty) * 32 + tx];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += a[ty][k] * b[ty][k];
        __syncthreads();
    }
    out[ty * 32 + tx] = sum;
}

// One buffer, which the launch brings: none of those names is needed.
__global__ void row_norms(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    extern __shared__ float line[];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        line[threadIdx.x] = x[t * 512 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += line[(threadIdx.x & ~31) + k] * line[(threadIdx.x & ~31) + k];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
