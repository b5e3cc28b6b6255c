// Copies to the tile that was used, which the next iteration begins by waiting for.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#define T 64

// pipelinify: launch again
//   sizes    n=64,128,320
//   block    64
//   a:       in [n] random
//   out:     out [64]
//   n:       n
__global__ void again(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0;
    __pipeline_memcpy_async(&s[t], &a[t], sizeof(float));
    __pipeline_commit();
    for (int k = 0; k < n; k += T) {
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[(t + j) % T] * (j + 1);
        __syncthreads();
        if (k + T < n)
            __pipeline_memcpy_async(&s[t], &a[k + T + t], sizeof(float));
        __pipeline_commit();
    }
    out[t] = sum;
}

// pipelinify: launch group_again
//   sizes    tiles=1,2,5
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void group_again(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[T];
    auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    float sum = 0;
    cg::memcpy_async(block, s, a, sizeof(float) * T);
    for (int k = 0; k < tiles; ++k) {
        cg::wait(block);
        for (int j = 0; j < T; ++j)
            sum += s[(t + j) % T] * (j + 1);
        block.sync();
        if (k + 1 < tiles)
            cg::memcpy_async(block, s, a + (k + 1) * T, sizeof(float) * T);
    }
    out[t] = sum;
}

__device__ inline void copy_async(void *to, const void *from)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
}

// pipelinify: launch vectors
//   sizes    tiles=1,2,3,6
//   block    64
//   a:       in [tiles * 256] random
//   out:     out [64]
//   tiles:   tiles
__global__ void vectors(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float4 s[T];
    const int t = threadIdx.x;
    float sum = 0;
    copy_async(&s[t], &a[4 * t]);
    for (int k = 0; k < tiles; ++k) {
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[(t + j) % T].x * (j + 1) - s[j].y;
        __syncthreads();
        const int next = k + 1;
        if (next < tiles)
            copy_async(&s[t], &a[256 * next + 4 * t]);
    }
    out[t] = sum;
}

// The same in rounds, whose own copies stay asynchronous.
// pipelinify: launch in_rounds
//   sizes    tiles=0,1,2,3 rounds=1,3
//   block    64
//   a:       in [rounds * tiles * 64 + 64] random
//   out:     out [64]
//   tiles:   tiles
//   rounds:  rounds
__global__ void in_rounds(const float *__restrict__ a, float *__restrict__ out, int tiles, int rounds)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int r = 0; r < rounds; ++r) {
        __pipeline_memcpy_async(&s[t], &a[r * tiles * T + t], 4);
        __pipeline_commit();
        for (int k = 0; k < tiles; ++k) {
            __pipeline_wait_prior(0);
            __syncthreads();
            for (int j = 0; j < T; ++j)
                sum += s[(t + j) % T] * (j + 1);
            __syncthreads();
            if (k + 1 < tiles)
                __pipeline_memcpy_async(&s[t], &a[(r * tiles + k + 1) * T + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    out[t] = sum;
}
