// Copies that another build makes: waits serve those, too.
#include <cuda_pipeline.h>
#define T 64
#define LOOPSUM for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1)
__global__ void preloaded(const int *__restrict__ a, const int *__restrict__ w, int *__restrict__ out, int tiles)
{
    __shared__ int s[T], r[T];
    int sum = 0;
#ifdef PRELOAD
    __pipeline_memcpy_async(&r[threadIdx.x], &w[threadIdx.x], 4);
    __pipeline_commit();
#endif
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        LOOPSUM;
#ifdef PRELOAD
        sum += r[T - 1 - threadIdx.x];
#endif
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__global__ void preloaded_unseen(const int *__restrict__ a, const int *__restrict__ w, int *__restrict__ out, int tiles)
{
    __shared__ int s[T], r[T];
    int sum = 0;
    r[threadIdx.x] = 0;
#ifdef PRELOAD
    __pipeline_memcpy_async(&r[threadIdx.x], &w[threadIdx.x], 4);
    __pipeline_commit();
#endif
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        LOOPSUM * r[j];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__global__ void other_source(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
#ifdef OTHER
        __pipeline_memcpy_async(&s[threadIdx.x], &b[k * T + threadIdx.x], 4);
#else
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
#endif
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        LOOPSUM;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__device__ void load(int *s, const int *a, const int *b)
{
#ifdef OTHER
    __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
#else
    __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], 4);
#endif
    __pipeline_commit();
}
__global__ void other_helper(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        load(s, a + k * T, b + k * T);
        __pipeline_wait_prior(0);
        __syncthreads();
        LOOPSUM;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
