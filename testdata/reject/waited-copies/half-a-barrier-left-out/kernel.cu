// A barrier in two halves of which one is left out now and then, or whose token is handed to another iteration.
#include <cooperative_groups.h>
#include <utility>
namespace cg = cooperative_groups;

__global__ void sometimes(const float *__restrict__ a, float *__restrict__ o, int n)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x] = a[k * 64 + threadIdx.x];
        auto token = block.barrier_arrive();
        if (k % 2)
            block.barrier_wait(std::move(token));
        for (int i = 0; i < 64; ++i) sum += s[i] * (threadIdx.x ^ i);
        block.sync();
    }
    o[threadIdx.x] = sum;
}

__global__ void around_a_vote(const float *__restrict__ a, float *__restrict__ o, int n)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x] = a[k * 64 + threadIdx.x];
        auto token = block.barrier_arrive();
        sum += __syncthreads_count(sum > 1);
        block.barrier_wait(std::move(token));
        for (int i = 0; i < 64; ++i) sum += s[i] * (threadIdx.x ^ i);
        block.sync();
    }
    o[threadIdx.x] = sum;
}
