// Copies of which it is not seen what they copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
#define T 64
#define USE for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1)

__global__ void any_bytes(const int *__restrict__ a, int *__restrict__ out, int tiles, int bytes)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(block, s, a + k * T, bytes);
        cg::wait(block);
        USE;
        block.sync();
    }
    out[threadIdx.x] = sum;
}

// Half an element is left over.
__global__ void odd_bytes(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(block, s, a + k * T, 4 * T - 2);
        cg::wait(block);
        USE;
        block.sync();
    }
    out[threadIdx.x] = sum;
}

// Elements of another type, of no alignment that is promised.
__global__ void untyped(const void *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async((void *)&s[threadIdx.x], (const char *)a + (k * T + threadIdx.x) * 4, 4, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        USE;
        __syncthreads();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void partly_zeros(const int *__restrict__ a, int *__restrict__ out, int tiles, int n)
{
    __shared__ __align__(16) int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        if (threadIdx.x < T / 4) {
            int left = n - k * T - 4 * (int)threadIdx.x;
            __pipeline_memcpy_async(&s[4 * threadIdx.x], &a[k * T + 4 * threadIdx.x], 16,
                                    left >= 4 ? 0 : left > 0 ? 16 - 4 * left : 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// An address that moves on between the conversion and the copy.
__global__ void moved(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        int at = threadIdx.x;
        unsigned to = __cvta_generic_to_shared(&s[at]);
        at = k * T + at;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(&a[at]));
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A policy of the cache, and two instructions in one statement.
__global__ void other_forms(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int sum = 0;
    unsigned to = __cvta_generic_to_shared(&s[threadIdx.x]);
    for (int k = 0; k < tiles; ++k) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4; cp.async.commit_group;" ::"r"(to),
                     "l"(&a[k * T + threadIdx.x]));
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        USE;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// Addresses that are not the same each time that they are computed.
__global__ void moves_on(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    int sum = 0, at = 0;
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(block, s, a + T * at++, sizeof(int) * T);
        cg::wait(block);
        USE;
        block.sync();
    }
    out[threadIdx.x] = sum;
}
