// Kernels that run beside the loop, and the runtime's functions for device code.
#include <cuda_runtime.h>

__global__ void scale(float *rows) { rows[threadIdx.x] *= 0.5f; }

__device__ void scale_once(float *rows)
{
    if (threadIdx.x == 0)
        scale<<<1, 64, 0, cudaStreamFireAndForget>>>(rows);
}

__global__ void launches(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        if (t == 0)
            scale<<<1, 64>>>(out);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void launches_by_a_function(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        scale_once(out);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void copies(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        if (t == 0)
            cudaMemcpyAsync(out, a, 256, cudaMemcpyDeviceToDevice);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void looks_for_errors(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        if (cudaGetLastError() != cudaSuccess)
            sum = -1.0f;
        __syncthreads();
    }
    out[t] = sum;
}
