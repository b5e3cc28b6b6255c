// The consumers leave inside of their branch: what is behind it is the tail warps',
// which keep the count of barriers.
#include <cuda_runtime.h>

#define TILE 128

__global__ void weigh(const float *__restrict__ x, const float *__restrict__ w,
                      float *__restrict__ y, float *__restrict__ total, int n)
{
    __shared__ float xs[TILE];
    const int tid = threadIdx.x;
    float sum = 0.f;
    if (tid < TILE) {
        for (int base = 0; base < n; base += TILE) {
            xs[tid] = base + tid < n ? x[base + tid] : 0.f;
            __syncthreads();
            for (int k = 0; k < TILE; ++k)
                sum += xs[k] * w[k];
            __syncthreads();
        }
        y[blockIdx.x * TILE + tid] = sum;
        return;
    }
    for (int base = 0; base < n; base += TILE) {
        __syncthreads();
        sum += w[tid - TILE];
        __syncthreads();
    }
    total[blockIdx.x] = sum;
}
