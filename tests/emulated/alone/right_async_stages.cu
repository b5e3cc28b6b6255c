// expect: 0 clean
// Three stages, written by hand.
// pipelinify: launch dots
//   sizes tiles=0,1,2,7
//   grid  2
//   block 64
//   a:    in  [2 * 64 * tiles]
//   b:    in  [2 * 64 * tiles]
//   out:  out [2]
//   tiles: tiles
#include <cuda_pipeline.h>
enum { STAGES = 3 };
__global__ void dots(const float *a, const float *b, float *out, int tiles) {
  __shared__ float as[STAGES][64], bs[STAGES][64];
  const int t = threadIdx.x;
  a += blockIdx.x * 64 * tiles;
  b += blockIdx.x * 64 * tiles;
  for (int k = 0; k < STAGES - 1; k++) {
    if (k < tiles) {
      __pipeline_memcpy_async(&as[k][t], &a[64 * k + t], 4);
      __pipeline_memcpy_async(&bs[k][t], &b[64 * k + t], 4);
    }
    __pipeline_commit();
  }
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    int ahead = k + STAGES - 1;
    if (ahead < tiles) {
      __pipeline_memcpy_async(&as[ahead % STAGES][t], &a[64 * ahead + t], 4);
      __pipeline_memcpy_async(&bs[ahead % STAGES][t], &b[64 * ahead + t], 4);
    }
    __pipeline_commit();
    for (int i = 0; i < 64 && t == 0; i++)
      sum += as[k % STAGES][i] * bs[k % STAGES][i];
  }
  if (t == 0)
    out[blockIdx.x] = sum;
}
