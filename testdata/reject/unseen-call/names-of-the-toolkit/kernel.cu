// What a function of the file's does is not told by a name that the toolkit has too,
// and what a method of the toolkit gives is told by its class.
#include <cuda/atomic>

__device__ void sync(float *p); // in another file
__device__ int shfl(int value, int lane);

namespace grid_of_mine {
struct pipeline {
    __device__ void advance(float *p);
};
struct atomic_queue {
    __device__ void push(float *p);
};
}

__global__ void unseen_sync(float *x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        sync(x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void unseen_pipeline(float *x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    grid_of_mine::pipeline mine;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        mine.advance(x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void unseen_atomic(float *x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    grid_of_mine::atomic_queue mine;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        mine.push(x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void unseen_shuffle(const float *__restrict__ x, float *__restrict__ y,
                               int tiles)
{
    __shared__ float tile[32];
    float sum = 0.0f;
    int count = shfl(tiles, 3);
    for (int k = 0; k < count; ++k) {
        tile[threadIdx.x] = x[32 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void ticket(const float *__restrict__ x, float *__restrict__ y, int *next)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    cuda::atomic_ref<int> counter(*next);
    int count = counter.fetch_add(1);
    for (int k = 0; k < count; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

void run(float *x, float *y, int *next)
{
    unseen_sync<<<1, 64>>>(x, y, 4);
    unseen_pipeline<<<1, 64>>>(x, y, 4);
    unseen_atomic<<<1, 64>>>(x, y, 4);
    unseen_shuffle<<<1, 32>>>(x, y, 4);
    ticket<<<1, 64>>>(x, y, next);
}
