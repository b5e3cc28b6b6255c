// Monotone table lookup: warp 0 alone copies a tile of breakpoints and slopes, all warps sum the hinge functions.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename F> struct Hinge { F knee, slope; };

// pipelinify: launch hinge_sum
//   sizes    n=128 hinges=0,64,128,192,256,320,576
//   sizes    n=1,200 hinges=128
//   requires hinges % 64 == 0
//   target   n=4194304 hinges=4096
//   grid     (n + 127) / 128
//   block    128
//   x:       in  [n] random
//   knees:   in  [hinges] random
//   slopes:  in  [hinges] random
//   y:       out [n]
//   n:       n
//   hinges:  hinges
__global__ void hinge_sum(const float *__restrict__ x,
                          const float *__restrict__ knees,
                          const float *__restrict__ slopes,
                          float *__restrict__ y,
                          int n, int hinges)
{
  __shared__ float knee_stage[2][64];
  __shared__ float slope_stage[2][64];

  const int  lane    = threadIdx.x & 31;
  const bool loading = threadIdx.x < warpSize;   // warp 0
  const int  i       = blockIdx.x * blockDim.x + threadIdx.x;
  const float xi     = i < n ? x[i] : 0.f;
  float yi           = 0.f;

  // pipelinify: cp.async, 2 stages, source fef612b8
  int h_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (h_load < hinges) {
      if (loading) {
        __pipeline_memcpy_async(&knee_stage[load_stage][lane], &knees[h_load + lane], sizeof(float));
        __pipeline_memcpy_async(&knee_stage[load_stage][lane + 32], &knees[h_load + lane + 32], sizeof(float));
        __pipeline_memcpy_async(&slope_stage[load_stage][lane], &slopes[h_load + lane], sizeof(float));
        __pipeline_memcpy_async(&slope_stage[load_stage][lane + 32], &slopes[h_load + lane + 32], sizeof(float));
      }
      h_load += 64;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int h = 0; h < hinges; h += 64) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int k = 0; k < 64; ++k)
      yi += slope_stage[stage][k] * fmaxf(xi - knee_stage[stage][k], 0.f);
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  if (i < n) y[i] = yi;
}
