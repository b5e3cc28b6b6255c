// A loop in a function whose caller has copies in flight that the loop waits for, and in one
// that nothing in the file calls.
#include <cuda_pipeline.h>
#define T 64

static __device__ float body2(const float *__restrict__ a, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1);
        __syncthreads();
    }
    return sum;
}
__global__ void ahead(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ out, int tiles)
{
    __shared__ float r[T];
    __pipeline_memcpy_async(&r[threadIdx.x], &w[threadIdx.x], 4);
    __pipeline_commit();
    float sum = body2(a, tiles);
    out[threadIdx.x] = sum * r[T - 1 - threadIdx.x];
}

__device__ float alone(const float *__restrict__ a, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[(threadIdx.x + j) % T] * (j + 1);
        __syncthreads();
    }
    return sum;
}
