// Records that lead from tile to tile, and of which a second copy would not do, or that
// are not stepped alone.
#include <cuda_runtime.h>

struct Walk {
    const float *at;
    int left;
};

struct Ring {
    const float *at;
    int left;
    float last[4];
    const float *newest;
};

#define USE                             \
    __syncthreads();                    \
    for (int i = 0; i < 64; ++i)        \
        sum += part[i] * part[i ^ threadIdx.x]; \
    __syncthreads()

// One of its members points to another one.
__global__ void points_to_itself(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[64];
    Ring ring = {a, n};
    float sum = 0.0f;
    ring.newest = ring.last;
    ring.last[0] = 1.0f;
    while (ring.left > 0) {
        part[threadIdx.x] = ring.at[threadIdx.x];
        ring.at += 64;
        USE;
        ring.left -= 64;
    }
    y[threadIdx.x] = sum * *ring.newest;
}

// How far it goes is for a branch to say.
__global__ void under_branch(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[64];
    Walk walk = {a, n};
    float sum = 0.0f;
    while (walk.left > 0) {
        part[threadIdx.x] = walk.at[threadIdx.x];
        if (walk.left & 64)
            walk.at += 64;
        USE;
        walk.left -= 64;
    }
    y[threadIdx.x] = sum;
}

// Compute decides how far the next tile is.
__global__ void from_result(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[64];
    Walk walk = {a, n};
    float sum = 0.0f;
    while (walk.left > 0) {
        part[threadIdx.x] = walk.at[threadIdx.x];
        USE;
        walk.at += sum > 0.0f ? 64 : 32;
        walk.left -= 64;
    }
    y[threadIdx.x] = sum;
}

// The record is the caller's.
__device__ void reach(Walk &walk, float *y)
{
    __shared__ float part[64];
    float sum = 0.0f;
    while (walk.left > 0) {
        part[threadIdx.x] = walk.at[threadIdx.x];
        walk.at += 64;
        USE;
        walk.left -= 64;
    }
    y[threadIdx.x] = sum;
}

// Each thread has as much left as it is given.
__global__ void by_thread(const float *__restrict__ a, const int *__restrict__ lengths,
                          float *__restrict__ y)
{
    __shared__ float part[64];
    Walk walk = {a, lengths[threadIdx.x]};
    float sum = 0.0f;
    while (walk.left > 0) {
        part[threadIdx.x] = walk.at[threadIdx.x];
        walk.at += 64;
        USE;
        walk.left -= 64;
    }
    y[threadIdx.x] = sum;
}
