#include <cuda_runtime.h>

// memcpy reads bytes, whatever the pointer is cast to: the rows begin at any number of
// floats, and an asynchronous copy of 16 bytes would trap.
__global__ void __launch_bounds__(64)
quads(const float *__restrict__ a, float *__restrict__ y, int n, int ld)
{
    __shared__ float4 part[64];
    const int t = threadIdx.x;
    const float *row = a + (size_t)blockIdx.x * ld;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 256) {
        memcpy(&part[t], reinterpret_cast<const float4 *>(row + i) + t, sizeof(float4));
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k].x * part[k ^ t].y + part[k].z * part[k ^ t].w;
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}

// A tile of floats is as aligned as a float is.
__global__ void __launch_bounds__(64)
rows_of_quads(const float4 *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        memcpy(&part[t * 4], &a[i + t], sizeof(float4));
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            sum += part[k] * part[k ^ t];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}

// The local holds a number made from the one that is loaded.
__global__ void __launch_bounds__(64)
counts(const int *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        const float count = a[i + t];
        memcpy(&part[t], &count, sizeof(float));
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * part[k ^ t];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}
