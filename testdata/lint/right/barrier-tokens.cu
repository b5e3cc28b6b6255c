#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// Two barriers; a copy is bound to the barrier of its half, tokens travel.
__global__ void histogram(const unsigned char *__restrict__ img, unsigned *__restrict__ bins, int tiles) {
  constexpr int TILE = 2048;
  __shared__ alignas(16) unsigned char px[2][TILE];
  __shared__ unsigned local[256];
  __shared__ alignas(barrier) char room[2 * sizeof(barrier)];
  barrier *bars = reinterpret_cast<barrier *>(room);
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 2)
    init(bars + block.thread_rank(), block.size());
  local[threadIdx.x] = 0;
  block.sync();
  img += (size_t)blockIdx.x * tiles * TILE;
  barrier::arrival_token tok[2];
  if (tiles > 0)
    cuda::memcpy_async(block, px[0], img, cuda::aligned_size_t<16>(TILE), bars[0]);
  tok[0] = bars[0].arrive();
  for (int t = 0; t < tiles; ++t) {
    const int h = t % 2;
    if (t + 1 < tiles)
      cuda::memcpy_async(block, px[h ^ 1], img + (size_t)(t + 1) * TILE, cuda::aligned_size_t<16>(TILE), bars[h ^ 1]);
    tok[h ^ 1] = bars[h ^ 1].arrive();
    bars[h].wait(cuda::std::move(tok[h]));
    for (int i = threadIdx.x; i < TILE; i += 256)
      atomicAdd(&local[px[h][i]], 1u);
    block.sync();
  }
  block.sync();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
void h(const unsigned char *i, unsigned *b, int t) { histogram<<<32, 256>>>(i, b, t); }
