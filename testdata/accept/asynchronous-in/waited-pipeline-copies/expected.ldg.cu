#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__device__ int weighed(const int *tile, int t, int n)
{
    int sum = 0;
    for (int j = 0; j < n; ++j)
        sum += tile[(t + j) % n] * (j + 1);
    return sum;
}

// pipelinify: launch with_single_stage
//   sizes     batches=0,1,2,5
//   grid      2
//   block     64
//   smem      256
//   global_out: out [batches * 128]
//   global_in:  in [batches * 128] random
//   size:     batches * 128
//   batch_sz: batches
__global__ void with_single_stage(int *__restrict__ global_out, const int *__restrict__ global_in,
                                  size_t size, size_t batch_sz)
{
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    constexpr size_t stages_count = 1; // Pipeline with one stage
    extern __shared__ int shared[];    // block.size() * sizeof(int) bytes

    __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, stages_count>
        shared_state;
    auto pipeline = cuda::make_pipeline(block, &shared_state);

    auto block_batch = [&](size_t batch) -> int {
        return block.group_index().x * block.size() + grid.size() * batch;
    };

    for (size_t batch = 0; batch < batch_sz; ++batch) {
        size_t global_idx = block_batch(batch);

        // Collectively acquire the pipeline head stage from all producer threads:
        pipeline.producer_acquire();

        // Submit async copies to the pipeline's head stage:
        cuda::memcpy_async(block, shared, global_in + global_idx, sizeof(int) * block.size(),
                           pipeline);
        // Collectively commit (advance) the pipeline's head stage
        pipeline.producer_commit();

        // Collectively wait for the operations committed to complete:
        pipeline.consumer_wait();

        global_out[global_idx + threadIdx.x] = weighed(shared, threadIdx.x, block.size());

        // Collectively release the stage resources
        pipeline.consumer_release();
    }
}

// pipelinify: launch multiply<16>
//   sizes    n=16,32,80
//   grid     n/16, n/16
//   block    16,16
//   C:       out [n * n]
//   A:       in [n * n] random
//   B:       in [n * n] random
//   wA:      n
//   wB:      n
template <int BS>
__global__ void multiply(float *__restrict__ C, const float *__restrict__ A,
                         const float *__restrict__ B, int wA, int wB)
{
    __shared__ alignas(16) float As_stage[2][BS][BS];
    __shared__ alignas(16) float Bs_stage[2][BS][BS];
    int aBegin = wA * BS * blockIdx.y, aEnd = aBegin + wA - 1, bBegin = BS * blockIdx.x;
    float Csub = 0;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const auto shape1 = cuda::aligned_size_t<alignof(float)>(sizeof(float));
    // pipelinify: ldg, 2 stages, source 76de6416
    int a = aBegin, b = bBegin, stage = 0;
    if (a <= aEnd) {
        As_stage[0][threadIdx.y][threadIdx.x] = A[a + wA * threadIdx.y + threadIdx.x];
        Bs_stage[0][threadIdx.y][threadIdx.x] = B[b + wB * threadIdx.y + threadIdx.x];
        a += BS, b += BS * wB;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; a <= aEnd; a += BS, b += BS * wB) {
            float As_next = A[a + wA * threadIdx.y + threadIdx.x];
            float Bs_next = B[b + wB * threadIdx.y + threadIdx.x];
            for (int k = 0; k < BS; k++)
                Csub += As_stage[stage][threadIdx.y][k] * Bs_stage[stage][k][threadIdx.x];
            stage ^= 1;
            As_stage[stage][threadIdx.y][threadIdx.x] = As_next;
            Bs_stage[stage][threadIdx.y][threadIdx.x] = Bs_next;
            __syncthreads();
        }
        for (int k = 0; k < BS; k++)
            Csub += As_stage[stage][threadIdx.y][k] * Bs_stage[stage][k][threadIdx.x];
    }
    C[wB * BS * blockIdx.y + BS * blockIdx.x + wB * threadIdx.y + threadIdx.x] = Csub;
}

// Vectors, and a last tile that is not full: zeros behind its end.
// pipelinify: launch sums
//   sizes    n=0,4,256,260,1028
//   block    64
//   in:      in [n] random
//   out:     out [64]
//   n:       n
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float4 s_stage[2][64];
    auto pipe = cuda::make_pipeline();
    const int t = threadIdx.x;
    float acc = 0;
    // pipelinify: ldg, 2 stages, source 05fa8781
    int k = 0, stage = 0;
    if (k < n) {
        if (k + 4 * t < n)
            { s_stage[0][t] = *(reinterpret_cast<const float4 *>(&in[k + 4 * t])); }
        else
            s_stage[0][t] = make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 256; k < n; k += 256) {
            float4 s_next;
            if (k + 4 * t < n) {
                s_next = *(reinterpret_cast<const float4 *>(&in[k + 4 * t]));
            } else {
                s_next = make_float4(0.f, 0.f, 0.f, 0.f);
            }
            for (int j = 0; j < 64; ++j) {
                float4 v = s_stage[stage][(t + j) % 64];
                acc += v.x + v.y * j + v.z - v.w;
            }
            stage ^= 1;
            s_stage[stage][t] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j) {
            float4 v = s_stage[stage][(t + j) % 64];
            acc += v.x + v.y * j + v.z - v.w;
        }
    }
    out[t] = acc;
}

// The block's pipeline in a loop of loops, with two stages of which one is ever in use.
// pipelinify: launch rounds
//   sizes    rounds=1,3 tiles=0,1,2,3
//   block    32
//   in:      in [rounds * tiles * 32] random
//   out:     out [rounds * 32]
//   rounds:  rounds
//   tiles:   tiles
__global__ void rounds(const int *__restrict__ in, int *__restrict__ out, int rounds, int tiles)
{
    __shared__ int s_stage[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int r = 0; r < rounds; ++r) {
        int sum = 0;
        // pipelinify: ldg, 2 stages, source 2a882df7
        int k = 0, stage = 0;
        if (k < tiles) {
            __syncthreads();
            for (int e = block.thread_rank(); e < 32; e += block.size())
                s_stage[0][e] = (in + ((r * tiles + k) * 32))[e];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++k; k < tiles; ++k) {
                int s_next[8];
                #pragma unroll
                for (int slot = 0; slot < 8; ++slot) {
                    int e = block.thread_rank() + slot * (block.size());
                    if (e < 32)
                        s_next[slot] = (in + ((r * tiles + k) * 32))[e];
                }
                for (int j = 0; j < 32; ++j)
                    sum += s_stage[stage][(threadIdx.x + j) % 32] * (j + 1);
                stage ^= 1;
                #pragma unroll
                for (int slot = 0; slot < 8; ++slot) {
                    int e = block.thread_rank() + slot * (block.size());
                    if (e < 32)
                        s_stage[stage][e] = s_next[slot];
                }
                // What has not been fetched ahead.
                for (int e = block.thread_rank() + 8 * (block.size()); e < 32; e += block.size())
                    s_stage[stage][e] = (in + ((r * tiles + k) * 32))[e];
                __syncthreads();
            }
            for (int j = 0; j < 32; ++j)
                sum += s_stage[stage][(threadIdx.x + j) % 32] * (j + 1);
            __syncthreads();
        }
        out[r * 32 + threadIdx.x] = sum;
    }
}
