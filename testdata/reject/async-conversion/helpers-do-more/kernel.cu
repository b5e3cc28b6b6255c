// Helpers that do more than to hand a value over, or that are not known to: what they
// read and write waits in registers.
#include <cuda_runtime.h>

struct Left { float value; };
struct Right { float value; };
struct Both : Left, Right { };
typedef float4 __attribute__((aligned(4))) loose4;

__device__ float read(const float *p) { return *p; }
__device__ float4 read4(const float *p) { return *reinterpret_cast<const float4 *>(p); }
__device__ float4 read_loose(const float *p) { return *reinterpret_cast<const loose4 *>(p); }
__device__ float negated(const float *p) { return -*p; }
__device__ float next(const float *p) { return p[1]; }
__device__ float converted(const int *p) { return *p; }
__device__ Right right_of(const Both *p) { return *static_cast<const Right *>(p); }
__device__ Right right(const Right *p) { return *p; }
__device__ void put(float *p, float v) { *p = v; }
__device__ void put4(float *p, float4 v) { *reinterpret_cast<float4 *>(p) = v; }
__device__ void put_loose(float *p, float4 v) { *reinterpret_cast<loose4 *>(p) = v; }
__device__ void put_half(float *p, float v) { *p = v * 0.5f; }
__device__ void put_whole(float *p, int v) { *p = v; }
__device__ void put_twice(float *p, float v) { p[0] = v; p[1] = v; }
__device__ void put_right(Right *p, Right v) { *p = v; }

__global__ void takes_negated(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put(&s[t], negated(x + k * 32 + t));
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void takes_next(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = next(x + k * 32 + t);
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void takes_converted(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = converted(n + k * 32 + t);
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void takes_loose(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put4(&s[t * 4], read_loose(x + k * 128 + t * 4));
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void stores_loose(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put_loose(&s[t * 4], read4(x + k * 128 + t * 4));
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void stores_half(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put_half(&s[t], x[k * 32 + t]);
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void stores_whole(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put_whole(&s[t], x[k * 32 + t]);
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void stores_converted(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put(&s[t], n[k * 32 + t]);
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void base_in_helper(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put_right(reinterpret_cast<Right *>(s) + t, right_of(both + k * 32 + t));
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void base_as_argument(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put_right(reinterpret_cast<Right *>(s) + t, right(both + k * 32 + t));
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}

// As it has to be.
__global__ void as_it_is(const float *__restrict__ x, const int *__restrict__ n, const Both *__restrict__ both,
    float *__restrict__ y, int tiles)
{
    __shared__ __align__(16) float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        put(&s[t], read(x + k * 32 + t));
        __syncthreads();
        sum += s[t] * s[(t + 1) % 32];
        __syncthreads();
    }
    y[t] = sum;
}
