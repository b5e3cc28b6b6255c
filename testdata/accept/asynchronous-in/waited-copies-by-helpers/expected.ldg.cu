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
__device__ auto load_rows_plain_fetch(__half (*tile)[COLS], const __half *from, int ld, int tid,
                                      int threads)
{
    struct {
        uint4 tile_next[2];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 2; ++slot) {
        int i = tid + slot * threads;
        if (i < ROWS * COLS / 8) {
            const int r = i / (COLS / 8), c = i % (COLS / 8) * 8;
            next.tile_next[slot] = *reinterpret_cast<const uint4 *>(from + r * ld + c);
        }
    }
    return next;
}

template <int ROWS, int COLS, typename Registers>
__device__ void load_rows_plain_store(__half (*tile)[COLS], const __half *from, int ld, int tid,
                                      int threads, const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 2; ++slot) {
        int i = tid + slot * threads;
        if (i < ROWS * COLS / 8) {
            const int r = i / (COLS / 8), c = i % (COLS / 8) * 8;
            *reinterpret_cast<uint4 *>(&tile[r][c]) = next.tile_next[slot];
        }
    }
    // What has not been fetched ahead.
    for (int i = tid + 2 * threads; i < ROWS * COLS / 8; i += threads) {
        const int r = i / (COLS / 8), c = i % (COLS / 8) * 8;
        *reinterpret_cast<uint4 *>(&tile[r][c]) =
            *reinterpret_cast<const uint4 *>(from + r * ld + c);
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
    __shared__ __align__(16) __half as_stage[2][16][32];
    __shared__ __align__(16) __half bs_stage[2][32][32];
    const int tid = threadIdx.x;
    float sum = 0;
    // pipelinify: ldg, 2 stages, source a95cb7dc
    int k0 = 0, stage = 0;
    if (k0 < k) {
        load_rows_plain<16, 32>(as_stage[0], a + k0, k, tid, 64);
        load_rows_plain<32, 32>(bs_stage[0], b + k0, k, tid, 64);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < k; k0 += 32) {
            auto as_next = load_rows_plain_fetch<16, 32>(as_stage[0], a + k0, k, tid, 64);
            auto bs_next = load_rows_plain_fetch<32, 32>(bs_stage[0], b + k0, k, tid, 64);
            for (int j = 0; j < 32; ++j)
                sum += __half2float(as_stage[stage][tid % 16][j]) *
                       __half2float(bs_stage[stage][tid % 32][j]);
            stage ^= 1;
            load_rows_plain_store<16, 32>(as_stage[stage], a + k0, k, tid, 64, as_next);
            load_rows_plain_store<32, 32>(bs_stage[stage], b + k0, k, tid, 64, bs_next);
            __syncthreads();
        }
        for (int j = 0; j < 32; ++j)
            sum += __half2float(as_stage[stage][tid % 16][j]) *
                   __half2float(bs_stage[stage][tid % 32][j]);
    }
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

__device__ auto load_line_plain_fetch(const float *from, int n)
{
    struct {
        float4 line_next;
    } next;
    if (4 * threadIdx.x < n) {
        next.line_next = *reinterpret_cast<const float4 *>(&from[4 * threadIdx.x]);
    }
    return next;
}

template <typename Registers>
__device__ void load_line_plain_store(float *line, int n, const Registers &next)
{
    if (4 * threadIdx.x < n) {
        *reinterpret_cast<float4 *>(&line[4 * threadIdx.x]) = next.line_next;
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
    __shared__ __align__(16) float line_stage[2][128];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 8d18db1f
    int k = 0, stage = 0;
    if (k < lines) {
        load_line_plain(line_stage[0], a + k * 128, 128);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < lines; ++k) {
            auto line_next = load_line_plain_fetch(a + k * 128, 128);
            for (int j = 0; j < 128; ++j)
                sum += line_stage[stage][(threadIdx.x + j) % 128] * (j + 1);
            stage ^= 1;
            load_line_plain_store(line_stage[stage], 128, line_next);
            __syncthreads();
        }
        for (int j = 0; j < 128; ++j)
            sum += line_stage[stage][(threadIdx.x + j) % 128] * (j + 1);
    }
    out[threadIdx.x] = sum;
}

// A copy of the whole block, by a function.
template <class E>
__device__ void fetch(const cg::thread_block &block, E *to, const E *from, int n)
{
    cg::memcpy_async(block, to, from, sizeof(E) * n);
    cg::memcpy_async(block, to + n, from + n, sizeof(E) * n);
}

template <class E>
__device__ void fetch_plain(const cg::thread_block &block, E *to, const E *from, int n)
{
    for (int e = block.thread_rank(); e < (sizeof(E) * n) / sizeof(E); e += block.size())
        to[e] = from[e];
    for (int e = block.thread_rank(); e < (sizeof(E) * n) / sizeof(E); e += block.size())
        to[n + e] = (from + n)[e];
}

template <class E>
__device__ auto fetch_plain_fetch(const cg::thread_block &block, const E *from, int n)
{
    struct {
        E to_next[8];
        E to_next2[8];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int e = block.thread_rank() + slot * (block.size());
        if (e < (sizeof(E) * n) / sizeof(E))
            next.to_next[slot] = from[e];
    }
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int e = block.thread_rank() + slot * (block.size());
        if (e < (sizeof(E) * n) / sizeof(E))
            next.to_next2[slot] = (from + n)[e];
    }
    return next;
}

template <class E, typename Registers>
__device__ void fetch_plain_store(const cg::thread_block &block, E *to, const E *from, int n,
                                  const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int e = block.thread_rank() + slot * (block.size());
        if (e < (sizeof(E) * n) / sizeof(E))
            to[e] = next.to_next[slot];
    }
    // What has not been fetched ahead.
    for (int e = block.thread_rank() + 8 * (block.size()); e < (sizeof(E) * n) / sizeof(E);
         e += block.size())
        to[e] = from[e];
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int e = block.thread_rank() + slot * (block.size());
        if (e < (sizeof(E) * n) / sizeof(E))
            to[n + e] = next.to_next2[slot];
    }
    // What has not been fetched ahead.
    for (int e = block.thread_rank() + 8 * (block.size()); e < (sizeof(E) * n) / sizeof(E);
         e += block.size())
        to[n + e] = (from + n)[e];
}

// pipelinify: launch pairs
//   sizes    tiles=0,1,2,3
//   block    32
//   a:       in [tiles * 64] random
//   out:     out [32]
//   tiles:   tiles
__global__ void pairs(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s_stage[2][64];
    auto block = cg::this_thread_block();
    int sum = 0;
    // pipelinify: ldg, 2 stages, source 8e9dfd9e
    int k = 0, stage = 0;
    if (k < tiles) {
        fetch_plain(block, s_stage[0], a + k * 64, 32);
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            auto s_next = fetch_plain_fetch(block, a + k * 64, 32);
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
            stage ^= 1;
            fetch_plain_store(block, s_stage[stage], a + k * 64, 32, s_next);
            block.sync();
        }
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
    }
    out[threadIdx.x] = sum;
}
