// Libraries that the build gives as the system's headers, or that say so
// themselves, are libraries all the same.
#include <tickets.h>
#include "rounds.h"

__global__ void take(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t] * tickets::next();
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void count(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = tickets::counted(from[i * 64 + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t] + tickets::given;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void wait(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        sum += rounds::meet();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void turn(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        rounds::Turn own;
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
    }
    to[t] = sum;
}

__global__ void halve(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = rounds::halved(from[i * 64 + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}
