// expect: 3 in-flight
// Two stages; the wait leaves the batch that is read in flight.
// pipelinify: launch dots
//   sizes tiles=2,5
//   grid  3
//   block 64
//   a:    in  [3 * 64 * tiles]
//   b:    in  [3 * 64 * tiles]
//   out:  out [3]
//   tiles: tiles
#include <cuda_pipeline.h>
__global__ void dots(const float *a, const float *b, float *out, int tiles) {
  __shared__ float as[2][64], bs[2][64];
  const int t = threadIdx.x;
  a += blockIdx.x * 64 * tiles;
  b += blockIdx.x * 64 * tiles;
  __pipeline_memcpy_async(&as[0][t], &a[t], 4);
  __pipeline_memcpy_async(&bs[0][t], &b[t], 4);
  __pipeline_commit();
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) {
      __pipeline_memcpy_async(&as[(k + 1) % 2][t], &a[64 * (k + 1) + t], 4);
      __pipeline_memcpy_async(&bs[(k + 1) % 2][t], &b[64 * (k + 1) + t], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    for (int i = 0; i < 64 && t == 0; i++)
      sum += as[k % 2][i] * bs[k % 2][i];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sum;
}
