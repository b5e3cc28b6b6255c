#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// Threads 0..31 bring tiles, the other 96 reduce them.
__global__ void __launch_bounds__(128)
    partitioned_max(const int *__restrict__ data, int *__restrict__ result, int count) {
  constexpr int kStages = 2, kTile = 384;
  __shared__ int buf[kStages * kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int best[96];
  cg::thread_block block = cg::this_thread_block();
  const bool producer = block.thread_rank() < 32;
  cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state, 32);
  const int n = count / kTile;

  if (producer) {
    auto warp = cg::tiled_partition<32>(block);
    for (int t = 0; t < n; ++t) {
      pipe.producer_acquire();
      int *slot = buf + (t % kStages) * kTile;
      cuda::memcpy_async(warp, slot, data + t * kTile, cuda::aligned_size_t<16>(kTile * 4), pipe);
      pipe.producer_commit();
    }
  } else {
    const int lane = block.thread_rank() - 32;
    int mine = -2147483647 - 1;
    for (int t = 0; t < n; ++t) {
      pipe.consumer_wait();
      const int *slot = buf + (t % kStages) * kTile;
      for (int i = lane; i < kTile; i += 96)
        mine = max(mine, slot[i]);
      pipe.consumer_release();
    }
    best[lane] = mine;
  }
  block.sync();
  if (block.thread_rank() == 0) {
    int m = best[0];
    for (int i = 1; i < 96; ++i)
      m = max(m, best[i]);
    result[blockIdx.x] = m;
  }
}
