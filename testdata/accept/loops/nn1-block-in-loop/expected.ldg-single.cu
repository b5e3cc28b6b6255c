// Nearest reference point; the block object, a using-declaration and unrolling operators stand in the loop.
#include <cooperative_groups.h>
namespace util {
__device__ inline float sq(float v) { return v * v; }
}
namespace cg = cooperative_groups;
// pipelinify: launch nn1
//   sizes nq=1,64,100 nr=0,1,31,32,33,100,160
//   target nq=32768 nr=4096
//   grid (nq+31)/32
//   block 32
//   q: in [nq*4]
//   r: in [nr*4]
//   best: out [nq]
//   arg: out [nq]
//   nq: nq
//   nr: nr
__global__ void nn1(const float4 *__restrict__ q, const float4 *__restrict__ r, float *__restrict__ best, int *__restrict__ arg, int nq, int nr) {
  __shared__ float4 tile[32];
  int qi = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = qi < nq ? q[qi] : make_float4(0, 0, 0, 0);
  float b = 3.4e38f; int bi = -1;
  // pipelinify: ldg-single, 1 stage, source 2ac0f156
  {
    // every thread of the block takes part
    cg::thread_block block = cg::this_thread_block();
    int base = 0, base_tile = base;
    if (base < nr) {
      auto compute_tile = [&]() {
        using util::sq;
        int cnt = min(32, nr - base_tile);
        _Pragma("unroll 4")
        for (int t = 0; t < cnt; ++t) {
          float4 p = tile[t];
          float dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z, dw = p.w - me.w;
          float d = sq(dx) + sq(dy) + sq(dz) + sq(dw);
          if (d < b) { b = d; bi = base_tile + t; }
        }
      };
      {
        int j = base + threadIdx.x;
        tile[threadIdx.x] = j < nr ? r[j] : make_float4(0, 0, 0, 0);
      }
      block.sync();
      // Main loop: fetch the next tile while computing on this one.
      /* one tile */
      _Pragma("unroll 1")
      for (base += 32; base < nr; base += 32) {
        int j = base + threadIdx.x;
        float4 tile_next = j < nr ? r[j] : make_float4(0, 0, 0, 0);
        compute_tile();
        base_tile += 32;
        block.sync();
        tile[threadIdx.x] = tile_next;
        block.sync();
      }
      compute_tile();
    }
  }
  if (qi < nq) { best[qi] = b; arg[qi] = bi; }
}
