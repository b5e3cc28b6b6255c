// Cooperative groups version of the tiled product: thread_block::sync and cg::sync as barriers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda/pipeline>

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
  constexpr int stages = 4;
  __shared__ float l_stage[stages][16][16];
  __shared__ float r_stage[stages][16][16];

  const dim3 t = block.thread_index();
  const dim3 g = block.group_index();
  const int y = g.y * 16 + t.y;
  const int x = g.x * 16 + t.x;

  float dot = 0.0f;
  // pipelinify: pipeline, 4 stages, source f3760ecd
  auto pipe = cuda::make_pipeline();
  int d_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    pipe.producer_acquire();
    if (d_load < depth) {
      if (y < height && d_load + t.x < depth) {
        cuda::memcpy_async(&l_stage[load_stage][t.y][t.x], &lhs[y * depth + d_load + t.x],
                           cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
      } else {
        l_stage[load_stage][t.y][t.x] = 0.0f;
      }
      if (d_load + t.y < depth && x < width) {
        cuda::memcpy_async(&r_stage[load_stage][t.y][t.x], &rhs[(d_load + t.y) * width + x],
                           cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
      } else {
        r_stage[load_stage][t.y][t.x] = 0.0f;
      }
      d_load += 16;
    }
    pipe.producer_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int d = 0; d < depth; d += 16) {
    cuda::pipeline_consumer_wait_prior<stages - 2>(pipe);
    block.sync();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);

    for (int k = 0; k < 16; ++k) dot += l_stage[stage][t.y][k] * r_stage[stage][k][t.x];
    pipe.consumer_release();
    stage = stage == stages - 1 ? 0 : stage + 1;
  }

  if (y < height && x < width) out[y * width + x] = dot;
}
