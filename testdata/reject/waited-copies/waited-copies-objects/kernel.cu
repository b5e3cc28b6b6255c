// Pipelines and barriers that are more than those of a block that loads and waits.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
#define T 64
#define USE for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1)

__global__ void with_roles(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, (size_t)T / 2);
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s, a + k * T, sizeof(int) * T, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        USE;
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void never_released(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s, a + k * T, sizeof(int) * T, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        USE;
        block.sync();
    }
    out[threadIdx.x] = sum;
}

__device__ void meet(cuda::barrier<cuda::thread_scope_block> *bar);

__global__ void handed_on(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, T);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4, bar);
        bar.arrive_and_wait();
        USE;
        meet(&bar);
    }
    out[threadIdx.x] = sum;
}

// Waited for by its parity elsewhere, which the loop's phases change.
__global__ void by_parity(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, T);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4, bar);
        bar.arrive_and_wait();
        USE;
        __syncthreads();
    }
    if (tiles % 2)
        bar.wait_parity(true);
    out[threadIdx.x] = sum;
}

// The loop is run by some threads more often than by others.
__global__ void uneven(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, T);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < (int)threadIdx.x % 2 + 1; ++r)
        for (int k = 0; k < tiles; ++k) {
            cuda::memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4, bar);
            bar.arrive_and_wait();
            USE;
            bar.arrive_and_wait();
        }
    out[threadIdx.x] = sum;
}

// Multi-staged, and so it stays.
__global__ void two_stages(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[2][T];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], a, sizeof(int) * T, pipe);
    pipe.producer_commit();
    for (int k = 0; k < tiles; ++k) {
        pipe.producer_acquire();
        if (k + 1 < tiles)
            cuda::memcpy_async(block, s[(k + 1) % 2], a + (k + 1) * T, sizeof(int) * T, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        for (int j = 0; j < T; ++j)
            sum += s[k % 2][(threadIdx.x + j) % T] * (j + 1);
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
