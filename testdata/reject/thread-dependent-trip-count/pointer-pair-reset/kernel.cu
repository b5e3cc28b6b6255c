// Each thread sums the terms of its own part of a list; the parts have other lengths, which
// the end does not tell, because the walk begins anew in the loop's header.
#include <cuda_runtime.h>

#define T 64

__global__ void own_parts(const float *__restrict__ a, float *__restrict__ sum, int n)
{
    __shared__ float s[T];
    const float *p = a + threadIdx.x;
    const float *end = p + n;
    float acc = 0.f;
    for (p = a + 2 * threadIdx.x; p < end; p += T) {
        s[threadIdx.x] = *p;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            acc += s[j] * (j + 1);
        __syncthreads();
    }
    sum[blockIdx.x * T + threadIdx.x] = acc;
}

// A number in place of the pointer, and an offset that changes before the loop asks for it.
__global__ void moved_offset(const float *__restrict__ a, float *__restrict__ sum, int n)
{
    __shared__ float s[T];
    int off = threadIdx.x;
    int start = off;
    off += threadIdx.x;
    float acc = 0.f;
    for (int i = start; i < n + off; i += T) {
        s[threadIdx.x] = a[i];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            acc += s[j] * (j + 1);
        __syncthreads();
    }
    sum[blockIdx.x * T + threadIdx.x] = acc;
}
