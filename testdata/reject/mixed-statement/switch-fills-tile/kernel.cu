#include <cuda_runtime.h>

// One of three sources, chosen by a switch of which an arm goes on into the next.
__global__ void pick(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int mode)
{
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        switch (mode) {
        case 0:
            s[threadIdx.x] = a[t + threadIdx.x];
        case 1:
            s[threadIdx.x] = b[t + threadIdx.x];
            break;
        default:
            s[threadIdx.x] = 0.f;
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// One that asks and counts.
__global__ void count(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int mode)
{
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        switch (mode++) {
        case 0:
            s[threadIdx.x] = a[t + threadIdx.x];
            break;
        default:
            s[threadIdx.x] = b[t + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// One that is left midway.
__global__ void midway(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int mode)
{
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        switch (mode) {
        case 0:
            if (t + threadIdx.x >= n)
                break;
            s[threadIdx.x] = a[t + threadIdx.x];
            break;
        default:
            s[threadIdx.x] = b[t + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// One whose second arm sets what the first one declares; outside, too, there is a w.
__global__ void declares(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int mode)
{
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        float w = 5.f;
        switch (mode) {
        case 0:
            float w;
            w = a[t + threadIdx.x];
            s[threadIdx.x] = w;
            break;
        case 1:
            w = b[t + threadIdx.x];
            s[threadIdx.x] = w;
            break;
        default:
            s[threadIdx.x] = 0.f;
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
