// Threads that have left, or take another way, are none that a pipeline of the block may wait for.
#include <cuda_runtime.h>

__global__ void leaves_early(const float *__restrict__ a, float *__restrict__ out, int n, int live)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t >= live)
        return;
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        s[t] = i + t < n ? a[i + t] : 0.f;
        __syncthreads();
        sum += s[t] + s[0];
        __syncthreads();
    }
    out[t] = sum;
}

__device__ float rows_of(const float *__restrict__ a, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        s[t] = i + t < n ? a[i + t] : 0.f;
        __syncthreads();
        sum += s[t] + s[0];
        __syncthreads();
    }
    return sum;
}

__global__ void calls_when_alive(const float *__restrict__ a, float *__restrict__ out, int n, int live)
{
    if (threadIdx.x < live)
        out[threadIdx.x] = rows_of(a, n);
}

__device__ void end_of_thread() { asm volatile("exit;"); }

__global__ void ends_by_assembly(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (a[t] < 0.f)
        end_of_thread();
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        s[t] = i + t < n ? a[i + t] : 0.f;
        __syncthreads();
        sum += s[t] + s[0];
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void all_leave(const float *__restrict__ a, float *__restrict__ out, int n, int blocks)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (blockIdx.x >= blocks)
        return;
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        s[t] = i + t < n ? a[i + t] : 0.f;
        __syncthreads();
        sum += s[t] + s[0];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}
