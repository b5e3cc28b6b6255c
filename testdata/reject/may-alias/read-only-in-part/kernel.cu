// What is read on the way to what __ldg reads, or by way of a constant of the file, is read as
// any other memory.
#include <cuda_runtime.h>

__global__ void gathered(const float *values, const int *order, float *out, int n)
{
    __shared__ float part[64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        part[tx] = __ldg(&values[order[t * 64 + tx]]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += part[j ^ tx];
        out[t * 64 + tx] = sum;
        __syncthreads();
    }
}

__global__ void from_rows(const float *const *rows, float *out, int n)
{
    __shared__ float part[64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        part[tx] = __ldg(rows[t * 64 + tx]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += part[j ^ tx];
        out[t * 64 + tx] = sum;
        __syncthreads();
    }
}

__device__ const float *latest;

__global__ void from_latest(const float **out, int n)
{
    __shared__ float part[64];
    const int tx = threadIdx.x;
    for (int t = 0; t < n; ++t) {
        part[tx] = __ldg(latest);
        __syncthreads();
        float sum = 0.f;
        for (int j = 0; j < 64; ++j)
            sum += part[j ^ tx];
        out[t * 64 + tx] = latest + (int)sum;
        __syncthreads();
    }
}

__device__ float where_first[64];
__device__ float *const leads[2] = {where_first, where_first};

__global__ void by_constant_pointers(float *out, int n)
{
    __shared__ float part[64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        part[tx] = leads[t & 1][tx];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += part[j ^ tx];
        out[tx] = sum;
        __syncthreads();
    }
}

struct Counted {
    mutable float value;
    float scale;
};
__device__ const Counted counted[64] = {};

__global__ void by_mutable_members(float *out, int n)
{
    __shared__ float part[64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        part[tx] = counted[tx].value;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += part[j ^ tx];
        out[tx] = sum;
        __syncthreads();
    }
}
