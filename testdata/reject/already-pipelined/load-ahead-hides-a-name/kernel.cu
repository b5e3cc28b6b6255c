// In the block that loads ahead a name means something else than behind it: the two buffers
// stay.
#include <cuda_runtime.h>

__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[2][64];
    const int t = threadIdx.x;
    float sum = 0.0f, v = 0.25f;
    {
        float v = a[t];
        s[0][t] = v;
    }
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) {
            float v = a[(i + 1) * 64 + t];
            s[(i + 1) & 1][t] = v;
        }
        for (int k = 0; k < 64; ++k)
            sum += s[i & 1][k] * v;
        __syncthreads();
    }
    out[t] = sum;
}

struct gain {
    int low, middle, high;
};

// Behind the use the name of a type is that of a number.
__global__ void by_size_of_type(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    s[t] = a[t];
    __syncthreads();
    for (int i = 1; i <= n; ++i) {
        for (int k = 0; k < 64; ++k)
            sum += s[k] * sizeof(gain);
        __syncthreads();
        double gain = a[i * 64 + t] * 0.5;
        s[t] = gain;
        __syncthreads();
    }
    out[t] = sum;
}

// And a macro says it.
#define BYTES (sizeof(gain) / 4)
__global__ void by_macro(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    s[t] = a[t];
    __syncthreads();
    for (int i = 1; i <= n; ++i) {
        for (int k = 0; k < 64; ++k)
            sum += s[k] * BYTES;
        __syncthreads();
        double gain = a[i * 64 + t] * 0.5;
        s[t] = gain;
        __syncthreads();
    }
    out[t] = sum;
}
