// Ported from OpenCL: a macro stages one number by way of two others, and the arguments it hands on name a size.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define WG 16
#define LOCAL __shared__
#define BARRIER() __syncthreads()
#define GET_LOCAL_ID(d) (d ? threadIdx.y : threadIdx.x)
#define IDX(r, c, ld) ((r) * (ld) + (c))
#define STAGE(dst, src, r, c, ld) dst[GET_LOCAL_ID(1)][GET_LOCAL_ID(0)] = src[IDX(r, c, ld)]
#define FOR_TILES(t, n) for (int t = 0; t < (n); ++t)
__global__ void mm(const float *a, const float *b, float *c, int n)
{
  constexpr int stages = 3;
  LOCAL float ta_stage[stages][WG][WG];
  LOCAL float tb_stage[stages][WG][WG];
  const int ly = GET_LOCAL_ID(1), lx = GET_LOCAL_ID(0);
  const int gy = blockIdx.y * WG + ly, gx = blockIdx.x * WG + lx;
  float s = 0;
  // pipelinify: cp.async, 3 stages, source 8fada742
  int t_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (t_load < (n / WG)) {
      __pipeline_memcpy_async(&ta_stage[load_stage][GET_LOCAL_ID(1)][GET_LOCAL_ID(0)], &a[IDX(gy, t_load * WG + lx, n)],
                              sizeof(float));
      __pipeline_memcpy_async(&tb_stage[load_stage][GET_LOCAL_ID(1)][GET_LOCAL_ID(0)], &b[IDX(t_load * WG + ly, gx, n)],
                              sizeof(float));
      ++t_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int t = 0; t < (n / WG); ++t) {
    __pipeline_wait_prior(stages - 2);
    BARRIER();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < WG; ++k) s += ta_stage[stage][ly][k] * tb_stage[stage][k][lx];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  c[IDX(gy, gx, n)] = s;
}
// pipelinify: launch mm
//   sizes n=16,32,48,80,96
//   target n=4096
//   grid n / 16, n / 16
//   block 16, 16
//   a: in [n * n]
//   b: in [n * n]
//   c: out [n * n]
//   n: n
