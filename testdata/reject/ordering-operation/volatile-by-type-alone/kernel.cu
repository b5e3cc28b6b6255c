// Volatile by its type alone is what a function gives, what a cast, a pointer to a member or a member of a
// record that is copied names; an atomic object is asked by a conversion.
#include <cuda/atomic>

struct Slot {
    int tag;
    volatile int ready;
};
using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__device__ volatile int &flag_of(int *flags, int tile) { return flags[tile]; }
__device__ auto flag_at(int *flags, int tile) -> volatile int & { return flags[tile]; }

__global__ void given_by_a_function(const float *__restrict__ from, int *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            while (flag_of(flags, t) == 0) {
            }
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void given_behind_an_arrow(const float *__restrict__ from, int *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            while (flag_at(flags, t) == 0) {
            }
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void made_by_a_cast(const float *__restrict__ from, int *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            while (const_cast<volatile int &>(flags[t]) == 0) {
            }
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void by_a_pointer_to_a_member(const float *__restrict__ from, Slot *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            volatile int Slot::*ready = &Slot::ready;
            while (flags[t].*ready == 0) {
            }
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void copied_with_its_record(const float *__restrict__ from, Slot *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            flags[t] = Slot{t, 1};
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void atomic_converted(const float *__restrict__ from, Flag *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            while (flags[t] == 0) {
            }
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void atomic_assigned(const float *__restrict__ from, Flag *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            flags[t] = 1;
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
