#include <cuda_pipeline.h>
// Layer norm over long rows: the ring is used twice, mean and then variance and output.
constexpr int TB = 256, V = 4, CH = TB * V;
__device__ float block_sum(float v, float *red) {
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0)
    red[threadIdx.x / 32] = v;
  __syncthreads();
  float r = 0.f;
  for (int i = 0; i < TB / 32; ++i)
    r += red[i];
  __syncthreads();
  return r;
}
template <class F> __device__ void stream(float (*ring)[CH], const float *row, int n, F &&f) {
  auto start = [&](int i) {
    if (i < n)
      __pipeline_memcpy_async(&ring[i % 2][threadIdx.x * V], row + i * CH + threadIdx.x * V, 16);
    __pipeline_commit();
  };
  start(0);
  for (int i = 0; i < n; ++i) {
    start(i + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < V; ++j)
      f(i * CH + j * TB + threadIdx.x, ring[i % 2][j * TB + threadIdx.x]);
    __syncthreads();
  }
}
__global__ void __launch_bounds__(TB) layernorm(const float *__restrict__ in, float *__restrict__ out, int n, float eps) {
  __shared__ __align__(16) float ring[2][CH];
  __shared__ float red[TB / 32];
  const float *row = in + (size_t)blockIdx.x * n * CH;
  float *o = out + (size_t)blockIdx.x * n * CH;
  float sum = 0.f, sq = 0.f;
  stream(ring, row, n, [&](int, float x) { sum += x; sq += x * x; });
  const float mean = block_sum(sum, red) / (n * CH);
  const float var = block_sum(sq, red) / (n * CH) - mean * mean;
  const float inv = rsqrtf(var + eps);
  stream(ring, row, n, [&](int at, float x) { o[at] = (x - mean) * inv; });
}
