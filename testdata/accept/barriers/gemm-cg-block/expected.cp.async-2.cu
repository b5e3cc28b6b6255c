// Cooperative groups version of the tiled product: thread_block::sync and cg::sync as barriers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// pipelinify: launch gemmCG
//   sizes    height=16 width=16 depth=0,1,15,16,17,32,48,64,80
//   sizes    height=30 width=10 depth=45
//   target   height=2048 width=2048 depth=2048
//   requires height > 0 && width > 0
//   grid     (width + 15) / 16, (height + 15) / 16
//   block    16, 16
//   out:     out [height * width]
//   lhs:     in  [height * depth]
//   rhs:     in  [depth * width]
//   height:  height
//   width:   width
//   depth:   depth
__global__ void gemmCG(float* __restrict__ out, const float* __restrict__ lhs, const float* __restrict__ rhs,
                       int height, int width, int depth) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float l_stage[2][16][16];
  __shared__ float r_stage[2][16][16];

  const dim3 t = block.thread_index();
  const dim3 g = block.group_index();
  const int y = g.y * 16 + t.y;
  const int x = g.x * 16 + t.x;

  float dot = 0.0f;
  // pipelinify: cp.async, 2 stages, source f3760ecd
  int d_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (d_load < depth) {
      __pipeline_memcpy_async(&l_stage[load_stage][t.y][t.x], &lhs[y * depth + d_load + t.x], sizeof(float),
                              (y < height && d_load + t.x < depth) ? 0 : sizeof(float));
      __pipeline_memcpy_async(&r_stage[load_stage][t.y][t.x], &rhs[(d_load + t.y) * width + x], sizeof(float),
                              (d_load + t.y < depth && x < width) ? 0 : sizeof(float));
      d_load += 16;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int d = 0; d < depth; d += 16) {
    __pipeline_wait_prior(0);
    block.sync();
    copy_tile(stage ^ 1);

    for (int k = 0; k < 16; ++k) dot += l_stage[stage][t.y][k] * r_stage[stage][k][t.x];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  if (y < height && x < width) out[y * width + x] = dot;
}
