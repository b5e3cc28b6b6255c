#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

#define T 128

// pipelinify: launch products
//   sizes    n=0,128,256,640
//   block    128
//   a:       in [n] random
//   b:       in [n] random
//   out:     out [128]
//   n:       n
__global__ void products(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ out, int n)
{
    __shared__ alignas(16) float sa_stage[2][T], sb_stage[2][T];
    auto block = cg::this_thread_block();
    float acc = 0;
    // pipelinify: cp.async, 2 stages, source 07620fc7
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = T % 4 == 0 && (size_t)a % 16 == 0 && (size_t)b % 16 == 0;
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            if (joined) {
                for (int e = 4 * (block.thread_rank()); e < T; e += 4 * (block.size()))
                    __pipeline_memcpy_async(&sa_stage[load_stage][e], &(a + i_load)[e], 16);
                for (int e = 4 * (block.thread_rank()); e < T; e += 4 * (block.size()))
                    __pipeline_memcpy_async(&sb_stage[load_stage][e], &(b + i_load)[e], 16);
            } else {
                for (int e = block.thread_rank(); e < T; e += block.size())
                    __pipeline_memcpy_async(&sa_stage[load_stage][e], &(a + i_load)[e], sizeof(float));
                for (int e = block.thread_rank(); e < T; e += block.size())
                    __pipeline_memcpy_async(&sb_stage[load_stage][e], &(b + i_load)[e], sizeof(float));
            }
            i_load += T;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = 0; i < n; i += T) {
        __pipeline_wait_prior(0);
        block.sync(); // both tiles are there
        copy_tile(stage ^ 1);
        for (int j = 0; j < T; ++j)
            acc += sa_stage[stage][(threadIdx.x + j) % T] * sb_stage[stage][j];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = acc;
}

// Rows of a matrix, one copy each; more bytes than threads, and a block of two dimensions.
// pipelinify: launch row_tiles<float, 8>
//   sizes    tiles=0,1,2,5
//   block    16,4
//   a:       in [8 * tiles * 36] random
//   out:     out [64]
//   ld:      tiles * 36
//   tiles:   tiles
// pipelinify: launch row_tiles<double, 4>
//   sizes    tiles=0,1,3
//   block    16,4
//   a:       in [4 * tiles * 36] random
//   out:     out [64]
//   ld:      tiles * 36
//   tiles:   tiles
template <class E, int ROWS>
__global__ void __launch_bounds__(64) row_tiles(const E *__restrict__ a, E *__restrict__ out, int ld, int tiles)
{
    __shared__ E rows_stage[2][ROWS][36];
    cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank();
    E sum = 0;
    // pipelinify: cp.async, 2 stages, source 982d98a7
    static_assert(__is_trivially_copyable(E) && !__is_same(E, volatile E), "E must be plain data and not volatile");
    static_assert(__is_trivially_copyable(E) && (sizeof(E) == 4 || sizeof(E) == 8 || sizeof(E) == 16) &&
                  alignof(E) == sizeof(E),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int r = 0; r < ROWS; ++r) {
                for (int e = block.thread_rank(); e < 36; e += block.size())
                    __pipeline_memcpy_async(&rows_stage[load_stage][r][e], &(a + (r * ld + 36 * k_load))[e], sizeof(E));
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        block.sync();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 36; ++j)
            sum += rows_stage[stage][(t + j) % ROWS][j] * (E)(j + 1);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}

// Tiles that threads of a tile of the warp copy for themselves, and the block waits for.
// pipelinify: launch warps
//   sizes    tiles=0,1,2,5
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void warps(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ int s_stage[2][64];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int first = threadIdx.x / 32 * 32;
    int sum = 0;
    // pipelinify: cp.async, 2 stages, source 4d059963
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int e = warp.thread_rank(); e < 32; e += warp.size())
                __pipeline_memcpy_async(&s_stage[load_stage][first + e], &(a + k_load * 64 + first)[e], sizeof(int));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        block.sync();
        copy_tile(stage ^ 1);
        warp.sync();
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// Two copies that are waited for one after the other.
// pipelinify: launch one_by_one
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   b:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void one_by_one(const int *__restrict__ a, const int *__restrict__ b,
                           int *__restrict__ out, int tiles)
{
    __shared__ __align__(16) int s_stage[2][64], r_stage[2][64];
    auto block = cg::this_thread_block();
    int sum = 0;
    // pipelinify: cp.async, 2 stages, source 3c55dcf0
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)a % 16 == 0 && (size_t)b % 16 == 0;
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            if (joined) {
                for (int e = 4 * (block.thread_rank()); e < 64; e += 4 * (block.size()))
                    __pipeline_memcpy_async(&s_stage[load_stage][e], &(a + k_load * 64)[e], 16);
                for (int e = 4 * (block.thread_rank()); e < 64; e += 4 * (block.size()))
                    __pipeline_memcpy_async(&r_stage[load_stage][e], &(b + k_load * 64)[e], 16);
            } else {
                for (int e = block.thread_rank(); e < 64; e += block.size())
                    __pipeline_memcpy_async(&s_stage[load_stage][e], &(a + k_load * 64)[e], sizeof(int));
                for (int e = block.thread_rank(); e < 64; e += block.size())
                    __pipeline_memcpy_async(&r_stage[load_stage][e], &(b + k_load * 64)[e], sizeof(int));
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        block.sync();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
        block.sync();
        sum += r_stage[stage][63 - threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
