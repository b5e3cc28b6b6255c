// Covariance of the columns of a sample matrix: the means are subtracted while the tiles are filled; upper triangle only.
#include <cuda_runtime.h>

// pipelinify: launch covariance
//   sizes    samples=1,7,8,9,16,24,32,40 dims=16
//   sizes    samples=0 dims=5
//   sizes    samples=27 dims=35
//   target   samples=65536 dims=1024
//   requires dims > 0
//   grid     (dims + 15) / 16, (dims + 15) / 16
//   block    16, 8
//   X:       in  [samples * dims]
//   mean:    in  [dims]
//   cov:     inout [dims * dims]
//   samples: samples
//   dims:    dims
__global__ void covariance(const double* __restrict__ X, const double* __restrict__ mean,
                           double* __restrict__ cov, int samples, int dims) {
  if (blockIdx.y > blockIdx.x) return;

  __shared__ double left_stage[2][8][16];
  __shared__ double right_stage[2][8][16];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int li = blockIdx.y * 16 + tx;
  const int ri = blockIdx.x * 16 + tx;
  const double ml = li < dims ? mean[li] : 0.0;
  const double mr = ri < dims ? mean[ri] : 0.0;
  double acc[2] = {0.0, 0.0};

  // pipelinify: ldg, 2 stages, source bf279123
  int s0 = 0, stage = 0;
  if (s0 < samples) {
    {
      const int s = s0 + ty;
      left_stage[0][ty][tx] = s < samples && li < dims ? X[(long long)s * dims + li] - ml : 0.0;
      right_stage[0][ty][tx] = s < samples && ri < dims ? X[(long long)s * dims + ri] - mr : 0.0;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (s0 += 8; s0 < samples; s0 += 8) {
      const int s = s0 + ty;
      double left_next = s < samples && li < dims ? X[(long long)s * dims + li] - ml : 0.0;
      double right_next = s < samples && ri < dims ? X[(long long)s * dims + ri] - mr : 0.0;

      for (int k = 0; k < 8; ++k) {
        acc[0] += left_stage[stage][k][ty] * right_stage[stage][k][tx];
        acc[1] += left_stage[stage][k][ty + 8] * right_stage[stage][k][tx];
      }
      stage ^= 1;
      left_stage[stage][ty][tx] = left_next;
      right_stage[stage][ty][tx] = right_next;
      __syncthreads();
    }
    for (int k = 0; k < 8; ++k) {
      acc[0] += left_stage[stage][k][ty] * right_stage[stage][k][tx];
      acc[1] += left_stage[stage][k][ty + 8] * right_stage[stage][k][tx];
    }
  }

  for (int h = 0; h < 2; ++h) {
    const int i = blockIdx.y * 16 + ty + 8 * h;
    if (i < dims && ri < dims && i <= ri)
      cov[(long long)i * dims + ri] = acc[h] / (samples > 1 ? samples - 1 : 1);
  }
}
