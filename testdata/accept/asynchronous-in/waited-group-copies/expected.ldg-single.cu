#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

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
    __shared__ alignas(16) float sa[T], sb[T];
    auto block = cg::this_thread_block();
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 07620fc7
    int i = 0;
    if (i < n) {
        for (int e = block.thread_rank(); e < T; e += block.size()) sa[e] = (a + i)[e];
        for (int e = block.thread_rank(); e < T; e += block.size()) sb[e] = (b + i)[e];
        block.sync(); // both tiles are there
        // Main loop: fetch the next tile while computing on this one.
        for (i += T; i < n; i += T) {
            float sa_next[8];
            float sb_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < T)
                    sa_next[slot] = (a + i)[e];
            }
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < T)
                    sb_next[slot] = (b + i)[e];
            }
            for (int j = 0; j < T; ++j)
                acc += sa[(threadIdx.x + j) % T] * sb[j];
            block.sync();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < T)
                    sa[e] = sa_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = block.thread_rank() + 8 * (block.size()); e < T; e += block.size())
                sa[e] = (a + i)[e];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < T)
                    sb[e] = sb_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = block.thread_rank() + 8 * (block.size()); e < T; e += block.size())
                sb[e] = (b + i)[e];
            block.sync(); // both tiles are there
        }
        for (int j = 0; j < T; ++j)
            acc += sa[(threadIdx.x + j) % T] * sb[j];
    }
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
    __shared__ E rows[ROWS][36];
    cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank();
    E sum = 0;
    // pipelinify: ldg-single, 1 stage, source 982d98a7
    static_assert(__is_trivially_copyable(E) && !__is_same(E, volatile E), "E must be plain data and not volatile");
    int k = 0;
    if (k < tiles) {
        for (int r = 0; r < ROWS; ++r)
            { for (int e = block.thread_rank(); e < 36; e += block.size()) rows[r][e] = (a + (r * ld + 36 * k))[e]; }
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            E rows_next[ROWS][8];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                #pragma unroll
                for (int slot = 0; slot < 8; ++slot) {
                    int e = block.thread_rank() + slot * (block.size());
                    if (e < 36)
                        rows_next[r][slot] = (a + (r * ld + 36 * k))[e];
                }
            }
            for (int j = 0; j < 36; ++j)
                sum += rows[(t + j) % ROWS][j] * (E)(j + 1);
            cg::sync(block);
            #pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                #pragma unroll
                for (int slot = 0; slot < 8; ++slot) {
                    int e = block.thread_rank() + slot * (block.size());
                    if (e < 36)
                        rows[r][e] = rows_next[r][slot];
                }
                // What has not been fetched ahead.
                for (int e = block.thread_rank() + 8 * (block.size()); e < 36; e += block.size())
                    rows[r][e] = (a + (r * ld + 36 * k))[e];
            }
            block.sync();
        }
        for (int j = 0; j < 36; ++j)
            sum += rows[(t + j) % ROWS][j] * (E)(j + 1);
    }
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
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int first = threadIdx.x / 32 * 32;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 4d059963
    int k = 0;
    if (k < tiles) {
        for (int e = warp.thread_rank(); e < 32; e += warp.size()) s[first + e] = (a + k * 64 + first)[e];
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            int s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = warp.thread_rank() + slot * (warp.size());
                if (e < 32)
                    s_next[slot] = (a + k * 64 + first)[e];
            }
            warp.sync();
            for (int j = 0; j < 64; ++j)
                sum += s[(threadIdx.x + j) % 64] * (j + 1);
            block.sync();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = warp.thread_rank() + slot * (warp.size());
                if (e < 32)
                    s[first + e] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = warp.thread_rank() + 8 * (warp.size()); e < 32; e += warp.size())
                s[first + e] = (a + k * 64 + first)[e];
            block.sync();
        }
        warp.sync();
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
    }
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
    __shared__ int s[64], r[64];
    auto block = cg::this_thread_block();
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 3c55dcf0
    int k = 0;
    if (k < tiles) {
        for (int e = block.thread_rank(); e < 64; e += block.size()) s[e] = (a + k * 64)[e];
        for (int e = block.thread_rank(); e < 64; e += block.size()) r[e] = (b + k * 64)[e];
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            int s_next[8];
            int r_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < 64)
                    s_next[slot] = (a + k * 64)[e];
            }
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < 64)
                    r_next[slot] = (b + k * 64)[e];
            }
            for (int j = 0; j < 64; ++j)
                sum += s[(threadIdx.x + j) % 64] * (j + 1);
            block.sync();
            sum += r[63 - threadIdx.x];
            block.sync();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < 64)
                    s[e] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = block.thread_rank() + 8 * (block.size()); e < 64; e += block.size())
                s[e] = (a + k * 64)[e];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = block.thread_rank() + slot * (block.size());
                if (e < 64)
                    r[e] = r_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = block.thread_rank() + 8 * (block.size()); e < 64; e += block.size())
                r[e] = (b + k * 64)[e];
            block.sync();
        }
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
        block.sync();
        sum += r[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
