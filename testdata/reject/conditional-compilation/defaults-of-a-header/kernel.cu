// A header of the user's has defaults for what a build does not give, and one macro that
// is no default.
#include "settings.h"

__global__ void sums_so_far(const float *APART a, float *APART out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        out[i * 64 + t] = sum;
        __syncthreads();
    }
}

__global__ void keeps(float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        KEEP(a[(i + 1) * 64 + t] += sum);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void notes(float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        NOTE(a[(i + 1) * 64 + t] += sum);
        __syncthreads();
    }
    out[t] = sum;
}
