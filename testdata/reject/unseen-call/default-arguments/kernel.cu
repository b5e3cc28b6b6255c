// Default arguments and members' initialisers run where nothing of them is written.
#include <cuda_runtime.h>

#define TILE 32

__device__ float gain = 1.0f;
__device__ unsigned drawn;
__constant__ float bias;

__device__ inline float amplified(float x, float by = gain) { return x * by; }
__device__ inline float numbered(float x, unsigned i = atomicAdd(&drawn, 1u)) { return x + i; }
__device__ inline float shifted(float x, float by = bias, int lanes = 2 * TILE) { return x + by / lanes; }
template <typename T> __device__ inline T scaled(T x, T by = gain) { return x * by; }

struct sample {
    float value, weight = gain;
    __device__ float weighted() const { return value * weight; }
};

struct plain {
    float value, weight = 2.0f;
    __device__ float weighted() const { return value * weight; }
};

// The gain of the next tile is what this one says.
__global__ void automatic_gain(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = amplified(in[i + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        if (threadIdx.x == 0)
            gain = 1.0f / (1.0f + fabsf(sum));
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void automatic_gain_template(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = scaled(in[i + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        if (threadIdx.x == 0)
            gain = 1.0f / (1.0f + fabsf(sum));
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void automatic_gain_member(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = sample{in[i + threadIdx.x]}.weighted();
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        if (threadIdx.x == 0)
            gain = 1.0f / (1.0f + fabsf(sum));
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void number(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = numbered(in[i + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// What is given, and what is a number, may be left out.
__global__ void given(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = plain{shifted(amplified(in[i + threadIdx.x], 0.5f))}.weighted();
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__device__ inline int first_of(int n, int lane = threadIdx.x) { return n > TILE ? lane : 0; }

// Where a thread begins hangs on which one it is.
__global__ void from_ones_own(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = first_of(n); i < n; i += TILE) {
        part[threadIdx.x] = in[i];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
