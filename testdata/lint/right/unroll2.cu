#include <cuda_pipeline.h>

__device__ __forceinline__ void pull(float *dst, const float *src) {
  __pipeline_memcpy_async(dst + threadIdx.x * 2, src + threadIdx.x * 2, 8);
  __pipeline_commit();
}
__device__ __forceinline__ float use(const float *s, float acc) {
#pragma unroll
  for (int i = 0; i < 8; ++i)
    acc = fmaf(acc, 0.5f, s[(threadIdx.x + i * 17) & 127]);
  return acc;
}

// Two rounds a turn; an odd tile is left for the end.
__global__ void __launch_bounds__(64) horner(const float *x, float *y, int n) {
  __shared__ __align__(16) float even[128];
  __shared__ __align__(16) float odd[128];
  x += (size_t)blockIdx.x * n * 128;
  float acc = 0.f;
  if (n > 0)
    pull(even, x);
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    pull(odd, x + (i + 1) * 128);
    __pipeline_wait_prior(1);
    __syncthreads();
    acc = use(even, acc);
    __syncthreads();
    if (i + 2 < n) {
      pull(even, x + (i + 2) * 128);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    acc = use(odd, acc);
    __syncthreads();
  }
  if (i < n) {
    __pipeline_wait_prior(0);
    __syncthreads();
    acc = use(even, acc);
  }
  y[blockIdx.x * 64 + threadIdx.x] = acc;
}
