// Tiles that are read before the wait, and waits that are not for all copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
#define T 64
#define USE for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1)

__global__ void read_before(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(block, s, a + k * T, sizeof(int) * T);
        sum += s[threadIdx.x];
        cg::wait(block);
        USE;
        block.sync();
    }
    out[threadIdx.x] = sum;
}

__global__ void one_is_left(const int *__restrict__ a, const int *__restrict__ b,
                            int *__restrict__ out, int tiles)
{
    __shared__ int s[T], r[T];
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(block, s, a + k * T, sizeof(int) * T);
        cg::memcpy_async(block, r, b + k * T, sizeof(int) * T);
        cg::wait_prior<1>(block);
        USE;
        sum += r[T - 1 - threadIdx.x];
        block.sync();
    }
    out[threadIdx.x] = sum;
}

__global__ void not_committed(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_wait_prior(0);
        __syncthreads();
        USE;
        __syncthreads();
        __pipeline_commit();
    }
    out[threadIdx.x] = sum;
}

// Two stages are committed, the oldest of them is waited for.
__global__ void oldest(const int *__restrict__ a, const int *__restrict__ b,
                       int *__restrict__ out, int tiles)
{
    __shared__ int s[T], r[T];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.producer_acquire();
        cuda::memcpy_async(&r[threadIdx.x], &b[k * T + threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        USE;
        sum += r[T - 1 - threadIdx.x];
        __syncthreads();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// What the arrival does not follow, its wait does not cover.
__global__ void arrives_first(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, T);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        auto token = bar.arrive();
        cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4, bar);
        bar.wait(std::move(token));
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The first wait is for copies from in front of the loop as well.
__global__ void from_outside(const int *__restrict__ a, const int *__restrict__ w,
                             int *__restrict__ out, int tiles)
{
    __shared__ int s[T], r[T];
    int sum = 0;
    __pipeline_memcpy_async(&r[threadIdx.x], &w[threadIdx.x], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        USE * r[j];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The inner loop waits for what the outer one has begun to copy.
__global__ void nested(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ out, int tiles, int rounds)
{
    __shared__ float s[T], r[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
        __pipeline_memcpy_async(&r[t], &w[i * T + t], 4);
        __pipeline_commit();
        for (int k = 0; k < tiles; ++k) {
            __pipeline_memcpy_async(&s[t], &a[(i * tiles + k) * T + t], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            for (int j = 0; j < T; ++j) sum += s[(t + j) % T] * r[j];
            __syncthreads();
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    out[t] = sum;
}

// Assembly that waits first and commits then, and that leaves a batch in flight.
__global__ void waited_first(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        asm volatile("cp.async.wait_group 0; cp.async.commit_group;" ::: "memory");
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void committed_and_left(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
