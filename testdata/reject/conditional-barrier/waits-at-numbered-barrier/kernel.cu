// Behind the first loop two warps hand over their sums at barrier 1, which is none
// of the loop's. In the second kernel the clerks wait at barrier 0 in assembly.
#include <cuda_runtime.h>

__global__ void hand_over(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float xs[64];
    __shared__ float sums[32];
    const int tid = threadIdx.x;
    float sum = 0.f;
    for (int base = 0; base < n; base += 64) {
        xs[tid] = x[base + tid];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += xs[k] * (float)(k + tid);
        __syncthreads();
    }
    if (tid >= 32) {
        sums[tid - 32] = sum;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        y[blockIdx.x * 32 + tid] = sum + sums[tid];
    }
}

__global__ void clerks(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float xs[64];
    const int tid = threadIdx.x;
    float sum = 0.f;
    if (tid >= 64) {
        for (int base = 0; base < n; base += 64)
            asm volatile("bar.sync 0; bar.sync 0;" ::: "memory");
        return;
    }
    for (int base = 0; base < n; base += 64) {
        xs[tid] = x[base + tid];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += xs[k] * (float)(k + tid);
        __syncthreads();
    }
    y[blockIdx.x * 64 + tid] = sum;
}
