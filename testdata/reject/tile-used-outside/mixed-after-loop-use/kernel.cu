#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Filled anew after the loop: nothing of the last tile lives on.
__global__ void sum_then_reuse(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    cg::thread_block blk = cg::this_thread_block();
    __shared__ int w[256];
    const int t = blk.thread_rank();
    int s = 0;
    for (int k = 0; k < tiles; ++k) {
        w[t] = in[k * 256 + t];
        blk.sync();
        for (int j = 0; j < 256; j += 5)
            s += w[(j + t) & 255];
        blk.sync();
    }
    w[t] = s;
    blk.sync();
    out[blockIdx.x * 256 + t] = w[255 - t] + s;
}

// Read after the loop, for each of several rows: where one has no tile, the last
// tile of the row before it lives on.
__global__ void sum_then_peek(const int *__restrict__ in, int *__restrict__ out, const int *__restrict__ tiles,
                              int rows)
{
    cg::thread_block blk = cg::this_thread_block();
    __shared__ int w[256];
    const int t = blk.thread_rank();
    int s = 0;
    for (int row = 0; row < rows; ++row) {
        for (int k = 0; k < tiles[row]; ++k) {
            w[t] = in[(row * 16 + k) * 256 + t];
            blk.sync();
            for (int j = 0; j < 256; j += 5)
                s += w[(j + t) & 255];
            blk.sync();
        }
        s += w[255 - t];
        blk.sync();
    }
    out[blockIdx.x * 256 + t] = s;
}
