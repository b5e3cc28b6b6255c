#include <cuda_runtime.h>

#define TILE 128

/* Noise that differs from place to place in the text: the line is the salt. */
#define HASH(i, salt) ((((i) ^ (salt) * 0x9e3779b9u) * 0x85ebca6bu) >> 8)
#define NOISE(i) (HASH(i, __LINE__) * (1.0f / 16777216.0f))

/* A salt that is counted up, by way of another macro. */
#define STREAM __COUNTER__
#define SALTED(i) (HASH(i, STREAM) * (1.0f / 16777216.0f))

__global__ void dithered_sums(const float *__restrict__ in, float *__restrict__ sums, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x] + NOISE(i + k);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void salted_sums(const float *__restrict__ in, float *__restrict__ sums, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x] + SALTED(i + k);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
