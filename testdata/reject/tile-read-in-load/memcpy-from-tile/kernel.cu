#include <cuda_runtime.h>

// The second half of a tile is a copy of the first, which other threads have filled.
__global__ void __launch_bounds__(64)
mirrored(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[128];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        memcpy(&part[64 + t], &part[63 - t], sizeof(float));
        part[t] = a[i + t];
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            sum += part[k] * part[k ^ t];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}

// What memcpy gives back is used: the call is a part of something else.
__global__ void __launch_bounds__(64)
returned(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        *static_cast<float *>(memcpy(&part[t], &a[i + t], sizeof(float))) += 1.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * part[k ^ t];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}
