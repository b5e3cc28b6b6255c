// Loaders that move on with each tile, where that cannot run ahead.
#include <cuda_runtime.h>

struct Walker {
    const float *next;
    int left, turn;

    __device__ void load(float (&tile)[64])
    {
        tile[threadIdx.x] = next[threadIdx.x];
        next += 64;
        left -= 64;
    }
    __device__ void load_turned(float (&tile)[64])
    {
        tile[(threadIdx.x + turn) % 64] = next[threadIdx.x];
        next += 64;
        turn++;
    }
    __device__ void load_inside(float (&tile)[64])
    {
        if ((int)threadIdx.x < left)
            tile[threadIdx.x] = next[threadIdx.x];
        next += 64;
        left -= 64;
    }
};

// The compute phase asks how much is left.
__global__ void asked(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n, 0};
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        walker.load(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * walker.left;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The loop ends where the loader says.
__global__ void decides(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n, 0};
    float sum = 0.0f;
    while (walker.left > 0) {
        walker.load(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The cells change from tile to tile: fetched and stored, they would be others.
__global__ void turned(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n, 0};
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        walker.load_turned(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The ragged last tile keeps cells of the one before.
__global__ void inside(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n, 0};
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        walker.load_inside(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Compute moves it on as well.
__global__ void moved_by_result(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n, 0};
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        walker.load(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x];
        if (sum > 100.0f)
            walker.next += 64;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A pointer that is stepped where it is read, and told apart by what was read.
__global__ void pointer_is_used(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    const float *next = a + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = *next;
        next += 64;
        tile[threadIdx.x ^ 1] += *next++;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * (float)(next - a);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
