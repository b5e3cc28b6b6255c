// One command builds for several architectures, and each sees a helper or a macro of its own.
#include <cuda_runtime.h>

#define TILE 32

__device__ float gain = 1.0f;

// Newer devices follow the level of the signal.
#if __CUDA_ARCH__ >= 900
__device__ inline float amplified(const float *p) { return p[threadIdx.x] * gain; }
__device__ inline void follow(float level) { if (threadIdx.x == 0) gain = 1.0f / (1.0f + level); }
#else
__device__ inline float amplified(const float *p) { return p[threadIdx.x]; }
__device__ inline void follow(float) {}
#endif

#if __CUDA_ARCH__ >= 900
#define DAMPED(p) ((p)[threadIdx.x] * gain)
#define KEEP(level) if (threadIdx.x == 0) gain = (level)
#else
#define DAMPED(p) ((p)[threadIdx.x])
#define KEEP(level) (void)(level)
#endif

// Older devices leave what is outside as it was.
#if __CUDA_ARCH__ >= 700
__device__ inline void fill(float *part, const float *__restrict__ in, int n)
{
    part[threadIdx.x] = (int)threadIdx.x < n ? in[threadIdx.x] : 0.0f;
}
#else
__device__ inline void fill(float *part, const float *__restrict__ in, int n)
{
    if ((int)threadIdx.x < n)
        part[threadIdx.x] = in[threadIdx.x];
}
#endif

// Both of these only compute.
#if __CUDA_ARCH__ >= 800
__device__ inline float combined(float x, float y, float s) { return __fmaf_rn(x, y, s); }
#else
__device__ inline float combined(float x, float y, float s) { return x * y + s; }
#endif

__global__ void follower(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = amplified(in + i);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        follow(sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void damper(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = DAMPED(in + i);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        KEEP(sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void filled(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        fill(part, in + i, n - i);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void products(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum = combined(part[k], part[k ^ threadIdx.x], sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// What is loaded is what the tile before stored, on some devices.
__global__ void chained(const float *__restrict__ in, float *carried, float *__restrict__ out, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
#if __CUDA_ARCH__ >= 900
    const float *from = carried;
#else
    const float *from = in;
#endif
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = from[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k ^ threadIdx.x];
        if (i + TILE < n)
            carried[i + TILE + threadIdx.x] = sum;
        __syncthreads();
    }
#if __CUDA_ARCH__ >= 800
    __threadfence();
#endif
    out[threadIdx.x] = sum;
}
