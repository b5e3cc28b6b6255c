// Nearest reference point; the block object, a using-declaration and unrolling operators stand in the loop.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
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
  constexpr int stages = 3;
  __shared__ float4 tile_stage[stages][32];
  int qi = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = qi < nq ? q[qi] : make_float4(0, 0, 0, 0);
  float b = 3.4e38f; int bi = -1;
  // pipelinify: cp.async, 3 stages, source 2ac0f156
  {
    // every thread of the block takes part
    cg::thread_block block = cg::this_thread_block();
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
      if (base_load < nr) {
        int j = base_load + threadIdx.x;
        __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &r[j], sizeof(float4), (j < nr) ? 0 : sizeof(float4));
        base_load += 32;
      }
      __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
      copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    _Pragma("unroll 1")
    for (int base = 0; base < nr; base += 32 /* one tile */) {
      __pipeline_wait_prior(stages - 2);
      block.sync();
      copy_tile(stage == 0 ? stages - 1 : stage - 1);
      using util::sq;
      int cnt = min(32, nr - base);
      _Pragma("unroll 4")
      for (int t = 0; t < cnt; ++t) {
        float4 p = tile_stage[stage][t];
        float dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z, dw = p.w - me.w;
        float d = sq(dx) + sq(dy) + sq(dz) + sq(dw);
        if (d < b) { b = d; bi = base + t; }
      }
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
  }
  if (qi < nq) { best[qi] = b; arg[qi] = bi; }
}
