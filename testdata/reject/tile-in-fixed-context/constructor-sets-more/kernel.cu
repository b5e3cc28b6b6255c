// What a constructor sets beside its object the compute phase reads.
#include <cuda_runtime.h>

struct Counted {
    static float last;
    float value;
    __device__ explicit Counted(float v) : value(v) { this->last = v; }
};

__global__ void last_of_each_tile(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        Counted made(a[i + threadIdx.x]);
        tile[threadIdx.x] = made.value;
        __syncthreads();
        sum += Counted::last;
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// In an argument that is const, but for one member.
struct Log {
    mutable float last;
};

struct Logged {
    float value;
    __device__ Logged(const Log &log, float v) : value(v) { log.last = v; }
};

__global__ void logged_sums(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    Log log{0.0f};
    for (int i = 0; i < n; i += 64) {
        Logged made(log, a[i + threadIdx.x]);
        tile[threadIdx.x] = made.value;
        __syncthreads();
        sum += log.last;
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// What it computes with is the class's, and changes.
struct Scaled {
    static float scale;
    float value;
    __device__ explicit Scaled(float v) : value(v * this->scale) {}
};

__global__ void scaled_sums(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        Scaled made(a[i + threadIdx.x]);
        tile[threadIdx.x] = made.value;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        Scaled::scale = sum;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
