#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

// Each tile of 32 threads streams its own columns through a small private ring.
template <int PER_WARP>
__global__ void __launch_bounds__(256) tile_stream(const float *__restrict__ src, float *__restrict__ dst, int rounds) {
  __shared__ alignas(16) float area[8][2][PER_WARP];
  auto cta = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(cta);
  float (*mine)[PER_WARP] = area[tile.meta_group_rank()];
  const float *in = src + ((size_t)blockIdx.x * 8 + tile.meta_group_rank()) * rounds * PER_WARP;
  float acc = 0.f;
  if (rounds > 0)
    cg::memcpy_async(tile, mine[0], in, cuda::aligned_size_t<16>(sizeof(float) * PER_WARP));
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds) {
      cg::memcpy_async(tile, mine[(r + 1) % 2], in + (r + 1) * PER_WARP, cuda::aligned_size_t<16>(sizeof(float) * PER_WARP));
      cg::wait_prior<1>(tile);
    } else {
      cg::wait_prior<0>(tile);
    }
    for (int i = tile.thread_rank(); i < PER_WARP; i += 32)
      acc += mine[r % 2][PER_WARP - 1 - i];
    tile.sync();
  }
  dst[blockIdx.x * 256 + threadIdx.x] = acc;
}
template __global__ void tile_stream<128>(const float *, float *, int);
