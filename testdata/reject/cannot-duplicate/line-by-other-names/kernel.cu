// What says its line by other names than __LINE__.
#include <cuda_runtime.h>

constexpr int T = 64;

// A default argument is the caller's line.
__device__ float salted(float v, int line = __builtin_LINE()) { return v * line; }

__global__ void behind(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        sum += s[t ^ 1];
        __syncthreads();
    }
    out[t] = salted(sum);
}

__global__ void inside(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        sum += s[t ^ 1] * __builtin_LINE();
        __syncthreads();
    }
    out[t] = sum;
}
