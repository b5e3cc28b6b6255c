// Declared in a header of the user's, its body in another file: it may do anything.
#include "elsewhere.h"

__global__ void smooth0(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum = scaled_elsewhere(sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[next_elsewhere() * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += next_elsewhere();
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += __ldcg(sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float4 all = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        all += make_float4(sum, 0.f, 0.f, 0.f);
        sum += all.x;
        __syncthreads();
    }
    to[t] = sum;
}
