#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
// Each tile of sixteen lanes has its own ring of three and waits for itself.
namespace cg = cooperative_groups;
__global__ void __launch_bounds__(64) tile_rings(const int *__restrict__ in, int *__restrict__ out, int n)
{
    constexpr int W = 32;
    __shared__ alignas(16) int ring[4][3][W];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int(*mine)[W] = ring[tile.meta_group_rank()];
    const int *src = in + tile.meta_group_rank() * W;
    const int pitch = tile.meta_group_size() * W;
    int acc = 0, head = 0;
    for (; head < 2 && head < n; ++head)
        cg::memcpy_async(tile, mine[head], src + head * pitch, cuda::aligned_size_t<16>(sizeof(int) * W));
    for (int k = 0; k < n; ++k) {
        if (head < n) {
            tile.sync();
            cg::memcpy_async(tile, mine[head % 3], src + head * pitch, cuda::aligned_size_t<16>(sizeof(int) * W));
            ++head;
            cg::wait_prior<2>(tile);
        } else {
            cg::wait(tile);
        }
        acc ^= mine[k % 3][tile.thread_rank() * 2] * mine[k % 3][W - 1 - tile.thread_rank()];
    }
    out[block.thread_rank()] = acc;
}
void run(const int *i, int *o, int n) { tile_rings<<<1, 64>>>(i, o, n); }
