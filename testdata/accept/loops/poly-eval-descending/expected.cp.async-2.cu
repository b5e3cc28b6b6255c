// Polynomial evaluation by Horner's rule: coefficient tiles from the highest degree down, loaded by the first 32 threads.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define NCOEF 32   /* coefficients per tile */

// pipelinify: launch horner
//   sizes    count=128 ncoef=0,32,64,96,128,160,224
//   sizes    count=1,300 ncoef=64
//   requires ncoef % 32 == 0
//   target   count=16777216 ncoef=256
//   grid     (count + 127) / 128
//   block    128
//   coef:    in  [ncoef] random
//   x:       in  [count] random
//   y:       out [count]
//   ncoef:   ncoef
//   count:   count
//   work     flops 2 * count * ncoef
__global__ void horner(const double *__restrict__ coef, const double *__restrict__ x,
                       double *__restrict__ y, int ncoef, int count)
{
  __shared__ double c_stage[2][NCOEF];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double xi = i < count ? x[i] : 0.0;
  double p = 0.0;

  /* ncoef is a multiple of NCOEF, the host pads with zeros at the high end */
  // pipelinify: cp.async, 2 stages, source ce7858e5
  int low_load = ncoef - NCOEF, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (low_load >= 0) {
      if (threadIdx.x < NCOEF)
        __pipeline_memcpy_async(&c_stage[load_stage][threadIdx.x], &coef[low_load + threadIdx.x], sizeof(double));
      low_load -= NCOEF;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int low = ncoef - NCOEF; low >= 0; low -= NCOEF) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    #pragma unroll
    for (int k = NCOEF - 1; k >= 0; --k)
      p = p * xi + c_stage[stage][k];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  if (i < count) y[i] = p;
}
