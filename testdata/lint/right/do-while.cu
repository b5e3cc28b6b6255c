#include <cuda_pipeline.h>
// do-while with the wait at the end of the round; at least one tile by contract.
__global__ void __launch_bounds__(128) gather_mean(const float *__restrict__ table, const int *__restrict__ ids, float *__restrict__ out, int n) {
  __shared__ __align__(16) float rows[2][4][128];
  __shared__ int want[2][4];
  const int t = threadIdx.x, q = t / 32, l = t % 32;
  const int *my = ids + (size_t)blockIdx.x * n;
  n &= ~3;
  if (n < 4)
    return;
  if (t < 4)
    want[0][t] = my[t];
  __syncthreads();
  __pipeline_memcpy_async(&rows[0][q][l * 4], table + (size_t)want[0][q] * 128 + l * 4, 16);
  __pipeline_commit();
  if (t < 4 && 4 < n)
    want[1][t] = my[4 + t];
  __pipeline_wait_prior(0);
  __syncthreads();
  float acc = 0.f;
  int i = 0, cur = 0;
  do {
    const bool more = i + 4 < n;
    if (more)
      __pipeline_memcpy_async(&rows[cur ^ 1][q][l * 4], table + (size_t)want[cur ^ 1][q] * 128 + l * 4, 16);
    __pipeline_commit();
    for (int r = 0; r < 4; ++r)
      acc += rows[cur][r][t];
    if (t < 4 && i + 8 < n)
      want[cur][t] = my[i + 8 + t];
    __pipeline_wait_prior(0);
    __syncthreads();
    cur ^= 1;
    i += 4;
  } while (i < n);
  out[blockIdx.x * 128 + t] = acc / n;
}
