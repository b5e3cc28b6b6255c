// Functions that copy a tile asynchronously, for loops that wait at once.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

__device__ __forceinline__ void copy16(void *to, const void *from)
{
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(at), "l"(from));
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// Rows of halves, 16 bytes at a time.
template <int ROWS, int COLS>
__device__ void load_rows(__half (*tile)[COLS], const __half *from, int ld, int tid, int threads)
{
    for (int i = tid; i < ROWS * COLS / 8; i += threads) {
        const int r = i / (COLS / 8), c = i % (COLS / 8) * 8;
        copy16(&tile[r][c], from + r * ld + c);
    }
}

template <int ROWS, int COLS>
__device__ void load_rows_plain(__half (*tile)[COLS], const __half *from, int ld, int tid,
                                int threads)
{
    for (int i = tid; i < ROWS * COLS / 8; i += threads) {
        const int r = i / (COLS / 8), c = i % (COLS / 8) * 8;
        *reinterpret_cast<uint4 *>(&tile[r][c]) =
            *reinterpret_cast<const uint4 *>(from + r * ld + c);
    }
}

template <int ROWS, int COLS>
__device__ void load_rows_plain_async(__half (*tile)[COLS], const __half *from, int ld, int tid,
                                      int threads)
{
    for (int i = tid; i < ROWS * COLS / 8; i += threads) {
        const int r = i / (COLS / 8), c = i % (COLS / 8) * 8;
        __pipeline_memcpy_async(reinterpret_cast<uint4 *>(&tile[r][c]),
                                reinterpret_cast<const uint4 *>(from + r * ld + c), sizeof(uint4));
    }
}

// pipelinify: launch halves
//   sizes    k=0,32,64,160
//   block    64
//   a:       in [16 * k] random
//   b:       in [32 * k] random
//   out:     out [64]
//   k:       k
__global__ void halves(const __half *__restrict__ a, const __half *__restrict__ b,
                       float *__restrict__ out, int k)
{
    constexpr int stages = 3;
    __shared__ __align__(16) __half as_stage[stages][16][32];
    __shared__ __align__(16) __half bs_stage[stages][32][32];
    const int tid = threadIdx.x;
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source a95cb7dc
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            load_rows_plain_async<16, 32>(as_stage[load_stage], a + k0_load, k, tid, 64);
            load_rows_plain_async<32, 32>(bs_stage[load_stage], b + k0_load, k, tid, 64);
            k0_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 32; ++j)
            sum += __half2float(as_stage[stage][tid % 16][j]) *
                   __half2float(bs_stage[stage][tid % 32][j]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[tid] = sum;
}

// One that commits, too, and leaves early; the same function serves a loop of two stages,
// which stays as it is.
__device__ void load_line(float *line, const float *from, int n)
{
    if (4 * threadIdx.x < n)
        __pipeline_memcpy_async(&line[4 * threadIdx.x], &from[4 * threadIdx.x], 16);
    __pipeline_commit();
}

__device__ void load_line_plain(float *line, const float *from, int n)
{
    if (4 * threadIdx.x < n)
        { *reinterpret_cast<float4 *>(&line[4 *
                                            threadIdx.x]) = *reinterpret_cast<const float4 *>(&from[4 * threadIdx.x]); }
}

__device__ void load_line_plain_async(float *line, const float *from, int n)
{
    if (4 * threadIdx.x < n) {
        __pipeline_memcpy_async(reinterpret_cast<float4 *>(&line[4 * threadIdx.x]),
                                reinterpret_cast<const float4 *>(&from[4 * threadIdx.x]),
                                sizeof(float4));
    }
}

// pipelinify: launch lines
//   sizes    lines=0,1,2,5
//   block    64
//   a:       in [lines * 128] random
//   out:     out [64]
//   lines:   lines
__global__ void lines(const float *__restrict__ a, float *__restrict__ out, int lines)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float line_stage[stages][128];
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source 8d18db1f
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < lines) {
            load_line_plain_async(line_stage[load_stage], a + k_load * 128, 128);
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < lines; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 128; ++j)
            sum += line_stage[stage][(threadIdx.x + j) % 128] * (j + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// A copy of the whole block, by a function.
template <class E>
__device__ void fetch(const cg::thread_block &block, E *to, const E *from, int n)
{
    cg::memcpy_async(block, to, from, sizeof(E) * n);
    cg::memcpy_async(block, to + n, from + n, sizeof(E) * n);
}

// pipelinify: launch pairs
//   sizes    tiles=0,1,2,3
//   block    32
//   a:       in [tiles * 64] random
//   out:     out [32]
//   tiles:   tiles
__global__ void pairs(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        fetch(block, s, a + k * 64, 32);
        cg::wait(block);
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
        block.sync();
    }
    out[threadIdx.x] = sum;
}
