#include <cuda_pipeline.h>
// What a thread copies only it reads: no barrier needed.
template <int UNROLL, int SLOTS>
__global__ void __launch_bounds__(128) axpy_stream(const float4 *__restrict__ x, float4 *__restrict__ y, float a, long n) {
  __shared__ float4 hold[SLOTS][UNROLL][128];
  const long stride = (long)gridDim.x * blockDim.x * UNROLL;
  const long start = (long)blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
  long ahead = start;
  for (int s = 0; s < SLOTS; ++s, ahead += stride) {
    if (ahead < n)
      for (int u = 0; u < UNROLL; ++u)
        __pipeline_memcpy_async(&hold[s][u][threadIdx.x], x + ahead + u * 128, sizeof(float4));
    __pipeline_commit();
  }
  int slot = 0;
  for (long i = start; i < n; i += stride) {
    __pipeline_wait_prior(SLOTS - 1);
    for (int u = 0; u < UNROLL; ++u) {
      float4 v = hold[slot][u][threadIdx.x];
      float4 w = y[i + u * 128];
      w.x += a * v.x; w.y += a * v.y; w.z += a * v.z; w.w += a * v.w;
      y[i + u * 128] = w;
    }
    if (ahead < n)
      for (int u = 0; u < UNROLL; ++u)
        __pipeline_memcpy_async(&hold[slot][u][threadIdx.x], x + ahead + u * 128, sizeof(float4));
    __pipeline_commit();
    ahead += stride;
    if (++slot == SLOTS)
      slot = 0;
  }
}
void run(const float4 *x, float4 *y, long n) { axpy_stream<2, 3><<<256, 128>>>(x, y, 2.f, n); }
