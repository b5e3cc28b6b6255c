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
    for (int i = 0; i < n; i += T) {
        cg::memcpy_async(block, sa, a + i, sizeof(float) * T);
        cg::memcpy_async(block, sb, b + i, sizeof(float) * T);
        cg::wait(block); // both tiles are there
        for (int j = 0; j < T; ++j)
            acc += sa[(threadIdx.x + j) % T] * sb[j];
        block.sync();
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
    for (int k = 0; k < tiles; ++k) {
        for (int r = 0; r < ROWS; ++r)
            cg::memcpy_async(block, &rows[r][0], &a[r * ld + 36 * k], sizeof(E) * 36);
        cg::wait_prior<0>(block);
        for (int j = 0; j < 36; ++j)
            sum += rows[(t + j) % ROWS][j] * (E)(j + 1);
        cg::sync(block);
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
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(warp, s + first, a + k * 64 + first, 128);
        cg::wait(warp);
        block.sync();
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
        block.sync();
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
    for (int k = 0; k < tiles; ++k) {
        cg::memcpy_async(block, s, a + k * 64, sizeof(int) * 64);
        cg::memcpy_async(block, r, b + k * 64, sizeof(int) * 64);
        cg::wait_prior<1>(block);
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
        cg::wait(block);
        sum += r[63 - threadIdx.x];
        block.sync();
    }
    out[threadIdx.x] = sum;
}
