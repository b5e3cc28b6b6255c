// A loader that steps in ways that its loads cannot run ahead of, or that somebody else looks at.
#include <cuda_runtime.h>

constexpr int T = 64;

struct Loader {
    const float *p;
    int at;
    int *log;

    __device__ void load(float *tile) const { tile[threadIdx.x] = p[at * T + threadIdx.x]; }
    __device__ void next() { ++at; }
    __device__ void next_by(float v) { at += (int)v; }
    __device__ void next_logged()
    {
        *log = at;
        ++at;
    }
    __device__ void chase() { at = (int)p[at]; }
};

// The compute phase asks it where it is: of this one each side may have its own.
__global__ void asked(const float *p, float *__restrict__ out, int n)
{
    __shared__ float tile[T];
    Loader l = {p, 0, nullptr};
    float sum = 0.f;

    for (int k = 0; k < n; ++k) {
        l.load(tile); __syncthreads(); sum += tile[0] * l.at; __syncthreads(); l.next();
    }
    out[threadIdx.x] = sum;
}

// By what was computed.
__global__ void by_sum(const float *p, float *__restrict__ out, int n)
{
    __shared__ float tile[T];
    Loader l = {p, 0, nullptr};
    float sum = 0.f;

    for (int k = 0; k < n; ++k) {
        l.load(tile); __syncthreads(); sum += tile[0]; __syncthreads(); l.next_by(sum);
    }
    out[threadIdx.x] = sum;
}

// It writes down where it was.
__global__ void logged(const float *p, float *__restrict__ out, int *log, int n)
{
    __shared__ float tile[T];
    Loader l = {p, 0, log};
    float sum = 0.f;

    for (int k = 0; k < n; ++k) {
        l.load(tile); __syncthreads(); sum += tile[0]; __syncthreads(); l.next_logged();
    }
    out[threadIdx.x] = sum;
}

// The next place is read from memory: the loads alone ask for it.
__global__ void chased(const float *p, float *__restrict__ out, int n)
{
    __shared__ float tile[T];
    Loader l = {p, 0, nullptr};
    float sum = 0.f;

    for (int k = 0; k < n; ++k) {
        l.load(tile); __syncthreads(); sum += tile[0]; __syncthreads(); l.chase();
    }
    out[threadIdx.x] = sum;
}

// It has a second name.
__global__ void renamed(const float *p, float *__restrict__ out, int n)
{
    __shared__ float tile[T];
    Loader l = {p, 0, nullptr};
    Loader &same = l;
    float sum = 0.f;

    for (int k = 0; k < n; ++k) {
        l.load(tile); __syncthreads(); sum += tile[0] * same.at; __syncthreads(); l.next();
    }
    out[threadIdx.x] = sum;
}
