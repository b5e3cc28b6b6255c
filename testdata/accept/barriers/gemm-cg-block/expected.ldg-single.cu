// Cooperative groups version of the tiled product: thread_block::sync and cg::sync as barriers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

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
  __shared__ float l[16][16];
  __shared__ float r[16][16];

  const dim3 t = block.thread_index();
  const dim3 g = block.group_index();
  const int y = g.y * 16 + t.y;
  const int x = g.x * 16 + t.x;

  float dot = 0.0f;
  // pipelinify: ldg-single, 1 stage, source f3760ecd
  int d = 0;
  if (d < depth) {
    l[t.y][t.x] = (y < height && d + t.x < depth) ? lhs[y * depth + d + t.x] : 0.0f;
    r[t.y][t.x] = (d + t.y < depth && x < width) ? rhs[(d + t.y) * width + x] : 0.0f;
    block.sync();
    // Main loop: fetch the next tile while computing on this one.
    for (d += 16; d < depth; d += 16) {
      float l_next = (y < height && d + t.x < depth) ? lhs[y * depth + d + t.x] : 0.0f;
      float r_next = (d + t.y < depth && x < width) ? rhs[(d + t.y) * width + x] : 0.0f;

      for (int k = 0; k < 16; ++k) dot += l[t.y][k] * r[k][t.x];
      cg::sync(block);
      l[t.y][t.x] = l_next;
      r[t.y][t.x] = r_next;
      block.sync();
    }
    for (int k = 0; k < 16; ++k) dot += l[t.y][k] * r[k][t.x];
  }

  if (y < height && x < width) out[y * width + x] = dot;
}
