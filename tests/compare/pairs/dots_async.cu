// Asynchronous copies in STAGES stages, by hand; LEFT batches stay in flight.
#include <cuda_pipeline.h>
#ifndef STAGES
#define STAGES 3
#endif
#ifndef LEFT
#define LEFT (STAGES - 2)
#endif
#define LEN 64
__device__ __forceinline__ void fetch(float (*to)[LEN], const float *from, int tile,
                                      int tiles) {
  if (tile < tiles && threadIdx.x < LEN / 4)
    __pipeline_memcpy_async(&to[tile % STAGES][4 * threadIdx.x],
                            &from[tile * LEN + 4 * threadIdx.x], 16);
}
__global__ void dots(const float *__restrict__ a, const float *__restrict__ b, float *out,
                     int tiles) {
  __shared__ __align__(16) float as[STAGES][LEN], bs[STAGES][LEN];
  float sum = 0;
  a += (size_t)blockIdx.x * tiles * LEN;
  b += (size_t)blockIdx.x * tiles * LEN;
  for (int k = 0; k < STAGES - 1; k++) {
    fetch(as, a, k, tiles);
    fetch(bs, b, k, tiles);
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; k++) {
    __pipeline_wait_prior(LEFT);
    __syncthreads();
    fetch(as, a, k + STAGES - 1, tiles);
    fetch(bs, b, k + STAGES - 1, tiles);
    __pipeline_commit();
    if (threadIdx.x == 0)
      for (int i = 0; i < LEN; i++)
        sum += as[k % STAGES][i] * bs[k % STAGES][i];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
