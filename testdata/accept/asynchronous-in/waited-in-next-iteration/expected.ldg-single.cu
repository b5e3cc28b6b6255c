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
    {
    __pipeline_wait_prior(0);
    {
        int k = 0;
        if (k < n) {
            {
                __syncthreads();
                for (int j = 0; j < T; ++j)
                    sum += s[(t + j) % T] * (j + 1);
                __syncthreads();
            }
            auto k_before = k;
            // pipelinify: ldg-single, 1 stage, source 98e81dc7
            k += T;
            if (k < n) {
                { s[t] = a[k_before + T + t]; }
                k += T, k_before += T;
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (; k < n; k += T, k_before += T) {
                    float s_next;
                    {
                        s_next = a[k_before + T + t];
                    }
                    for (int j = 0; j < T; ++j)
                        sum += s[(t + j) % T] * (j + 1);
                    __syncthreads();
                    {
                        s[t] = s_next;
                    }
                    __syncthreads();
                }
                for (int j = 0; j < T; ++j)
                    sum += s[(t + j) % T] * (j + 1);
                __syncthreads();
            }
        }
    }
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
    {
    cg::wait(block);
    {
        int k = 0;
        if (k < tiles) {
            {
                block.sync();
                for (int j = 0; j < T; ++j)
                    sum += s[(t + j) % T] * (j + 1);
                block.sync();
            }
            auto k_before = k;
            // pipelinify: ldg-single, 1 stage, source b0f665b2
            ++k;
            if (k < tiles) {
                { for (int e = block.thread_rank(); e < T; e += block.size()) s[e] = (a + (k_before + 1) * T)[e]; }
                block.sync();
                // Main loop: fetch the next tile while computing on this one.
                for (++k, ++k_before; k < tiles; ++k, ++k_before) {
                    float s_next[8];
                    {
                        #pragma unroll
                        for (int slot = 0; slot < 8; ++slot) {
                            int e = block.thread_rank() + slot * (block.size());
                            if (e < T)
                                s_next[slot] = (a + (k_before + 1) * T)[e];
                        }
                    }
                    for (int j = 0; j < T; ++j)
                        sum += s[(t + j) % T] * (j + 1);
                    block.sync();
                    {
                        #pragma unroll
                        for (int slot = 0; slot < 8; ++slot) {
                            int e = block.thread_rank() + slot * (block.size());
                            if (e < T)
                                s[e] = s_next[slot];
                        }
                        // What has not been fetched ahead.
                        for (int e = block.thread_rank() + 8 * (block.size()); e < T; e += block.size())
                            s[e] = (a + (k_before + 1) * T)[e];
                    }
                    block.sync();
                }
                for (int j = 0; j < T; ++j)
                    sum += s[(t + j) % T] * (j + 1);
                block.sync();
            }
        }
    }
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
    {
    asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 0;");
    {
        int k = 0;
        if (k < tiles) {
            {
                __syncthreads();
                for (int j = 0; j < T; ++j)
                    sum += s[(t + j) % T].x * (j + 1) - s[j].y;
                __syncthreads();
            }
            auto k_before = k;
            // pipelinify: ldg-single, 1 stage, source 13ce7d30
            ++k;
            if (k < tiles) {
                {
                    const int next = k_before + 1;
                    if (next < tiles)
                        { *reinterpret_cast<float4 *>(&s[t]) = *reinterpret_cast<const float4 *>(&a[256 * next +
                                                                                                    4 * t]); }
                }
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (++k, ++k_before; k < tiles; ++k, ++k_before) {
                    float4 s_next;
                    const int next = k_before + 1;
                    if (next < tiles) {
                        s_next = *reinterpret_cast<const float4 *>(&a[256 * next + 4 * t]);
                    }
                    for (int j = 0; j < T; ++j)
                        sum += s[(t + j) % T].x * (j + 1) - s[j].y;
                    __syncthreads();
                    if (next < tiles) {
                        *reinterpret_cast<float4 *>(&s[t]) = s_next;
                    }
                    __syncthreads();
                }
                for (int j = 0; j < T; ++j)
                    sum += s[(t + j) % T].x * (j + 1) - s[j].y;
                __syncthreads();
            }
        }
    }
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
        {
        __pipeline_wait_prior(0);
        {
            int k = 0;
            if (k < tiles) {
                {
                    __syncthreads();
                    for (int j = 0; j < T; ++j)
                        sum += s[(t + j) % T] * (j + 1);
                    __syncthreads();
                }
                auto k_before = k;
                // pipelinify: ldg-single, 1 stage, source a715c2b8
                ++k;
                if (k < tiles) {
                    { s[t] = a[(r * tiles + k_before + 1) * T + t]; }
                    __syncthreads();
                    // Main loop: fetch the next tile while computing on this one.
                    for (++k, ++k_before; k < tiles; ++k, ++k_before) {
                        float s_next;
                        {
                            s_next = a[(r * tiles + k_before + 1) * T + t];
                        }
                        for (int j = 0; j < T; ++j)
                            sum += s[(t + j) % T] * (j + 1);
                        __syncthreads();
                        {
                            s[t] = s_next;
                        }
                        __syncthreads();
                    }
                    for (int j = 0; j < T; ++j)
                        sum += s[(t + j) % T] * (j + 1);
                    __syncthreads();
                }
            }
        }
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    out[t] = sum;
}
