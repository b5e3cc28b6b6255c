#include <cuda_runtime.h>

// The second round of the copy loop stores over the first: asynchronous copies land in
// any order.
__global__ void __launch_bounds__(64)
upper_halves(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 128) {
        int i = t;
        do {
            part[i % 64] = a[k + i];
            i += 64;
        } while (i < 128);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += part[j] * part[j ^ t];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}

// Each round stores to cells of its own.
__global__ void __launch_bounds__(64)
both_halves(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[128];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 128) {
        int i = t;
        do {
            part[i] = a[k + i];
            i += 64;
        } while (i < 128);
        __syncthreads();
        for (int j = 0; j < 128; ++j)
            sum += part[j] * part[j ^ t];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}
