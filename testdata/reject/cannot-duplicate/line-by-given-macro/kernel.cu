// The command line gives a macro that is the line.
#include <cuda_runtime.h>

constexpr int T = 64;

__global__ void salted(const float *__restrict__ a, float *__restrict__ out, int n)
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
    out[t] = sum * SALT;
}
