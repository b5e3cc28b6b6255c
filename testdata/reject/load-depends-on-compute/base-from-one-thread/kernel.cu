#include <cuda_runtime.h>

// Where a tile begins is what one thread has worked out for all of them.
__global__ void sum_segments(const float *__restrict__ x, float *__restrict__ out, int n,
                             int stride)
{
    __shared__ float tile[64];
    __shared__ int base;
    float sum = 0.0f;
    for (int s = 0; s < n; ++s) {
        if (threadIdx.x == 0)
            base = s * stride % n * 64;
        __syncthreads();
        tile[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
