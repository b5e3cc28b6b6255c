#include <cuda_pipeline.h>

// Three source pointers handed down a chain: what is loaded next was decided
// two iterations ago.
// pipelinify: launch chained_panels
//   sizes    panels=0,1,2,3,4,7
//   target   panels=2048
//   grid     2
//   block    32, 32
//   base:    in  [8192 + panels * 32 * 40] random
//   out:     out [2 * 32 * 32]
//   panels:  panels
//   pitch:   32
//   firstGap: 96
__global__ void chained_panels(const float *__restrict__ base,
                               float *__restrict__ out, int panels, int pitch,
                               int firstGap)
{
  constexpr int stages = 3;
  __shared__ float panel_stage[stages][32][33];
  const int lx = threadIdx.x, ly = threadIdx.y;
  const float *p0 = base;
  const float *p1 = p0 + firstGap;
  const float *p2 = p1 + 3 * pitch;
  float s = 0.0f;

  // pipelinify: cp.async, 3 stages, source f2a11811
  int i_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (i_load < panels) {
      __pipeline_memcpy_async(&panel_stage[load_stage][ly][lx],
                              &p0[ly * pitch + lx], sizeof(float));
      p0 = p1;
      p1 = p2;
      p2 += 32 * pitch;
      ++i_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int i = 0; i < panels; ++i) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    s += panel_stage[stage][lx][ly];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[(blockIdx.x * 32 + ly) * 32 + lx] = s;
}
