// Copies of a group that not all of it make, and waits that not all come to.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
#define T 64
#define USE for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1)

__global__ void some_copy(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        if (threadIdx.x < T / 2)
            cg::memcpy_async(block, s, a + k * T, sizeof(int) * T);
        cg::wait(block);
        USE;
        block.sync();
    }
    out[threadIdx.x] = sum;
}

__global__ void some_wait(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&bar, block.size() / 2);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        if (threadIdx.x < T / 2) {
            cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4, bar);
            bar.arrive_and_wait();
        }
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void half_a_block(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[2][T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, T);
    __syncthreads();
    int sum = 0;
    if (threadIdx.x < T) {
        for (int k = 0; k < tiles; ++k) {
            cuda::memcpy_async(&s[0][threadIdx.x], &a[k * T + threadIdx.x], 4, bar);
            bar.arrive_and_wait();
            sum += s[0][T - 1 - threadIdx.x];
            bar.arrive_and_wait();
        }
    }
    out[threadIdx.x] = sum;
}

__global__ void some_commit(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], sizeof(int), pipe);
        if (threadIdx.x % 2)
            pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        USE;
        __syncthreads();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// Two threads of three come to the end of a tile that the third has not waited for.
__global__ void goes_on(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        if (a[k] == 0)
            continue;
        __pipeline_wait_prior(0);
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
