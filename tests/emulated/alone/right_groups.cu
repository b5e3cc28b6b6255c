// expect: 0 clean
// pipelinify: launch tile_sums
//   sizes n=32,96
//   grid  n / 32
//   block 32
//   x:    in  [n]
//   sums: out [n / 8]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tile_sums(const int *x, int *sums) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = x[blockIdx.x * 32 + block.thread_rank()];
  for (int by = 4; by; by /= 2)
    v += tile.shfl_down(v, by);
  if (tile.thread_rank() == 0)
    sums[blockIdx.x * 4 + tile.meta_group_rank()] = v;
}
