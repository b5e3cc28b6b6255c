#include <cuda_pipeline.h>

// Copy loops whose headers set their own bounds, once.
//
// pipelinify: launch row_sums
//   sizes  n=1 d=0,64,128,320
//   sizes  n=3 d=192
//   target n=65536 d=4096
//   grid   n
//   block  32
//   x:   in  [n * d + 1] random
//   out: out [n]
//   n:   n
//   d:   d
__global__ void row_sums(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  constexpr int stages = 4;
  __shared__ float xs_stage[stages][64];
  float acc = 0.f;
  // pipelinify: cp.async, 4 stages, source 96fb5402
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      int m = 128;
      for (int i = (m /= 2, threadIdx.x); i < m; i += blockDim.x)
        __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[blockIdx.x * d + c_load + i],
                                sizeof(float));
      c_load += 64;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < d; c += 64) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k] * (k + 1);
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  if (threadIdx.x == 0)
    out[blockIdx.x] = acc;
}
