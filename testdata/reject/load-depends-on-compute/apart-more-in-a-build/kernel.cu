// A variable that serves the loads, and then compute, or is set back for each tile: what another
// build does with it outside the loop is not seen.
#include <cuda_runtime.h>

__global__ __launch_bounds__(32) void read_in_a_build(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f, v = 7.f;
  for (int c = 0; c < n; c += 32) {
    v = a[c + t];
    s[t] = v;
    __syncthreads();
    if (c & 32) { v = s[31 - t]; sum += v; }
    __syncthreads();
  }
#if __CUDA_ARCH__ >= 900
  sum += v;
#endif
  out[t] = sum;
}

#ifdef WITH_TAIL
#define TAIL sum += v;
#else
#define TAIL
#endif
__global__ __launch_bounds__(32) void read_by_a_macro(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f, v = 7.f;
  for (int c = 0; c < n; c += 32) {
    v = a[c + t];
    s[t] = v;
    __syncthreads();
    if (c & 32) { v = s[31 - t]; sum += v; }
    __syncthreads();
  }
  TAIL
  out[t] = sum;
}

__global__ __launch_bounds__(32) void set_in_a_build(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f;
  int w = t;
#ifdef HALF
  w += 16;
#endif
  for (int c = 0; c < n; c += 32) {
    while (w < 32) {
      s[w] = a[c + w];
      w += 32;
    }
    __syncthreads();
    for (int j = 0; j < 32; j++) sum += s[j] * (j + t);
    w = t;
    __syncthreads();
  }
  out[t] = sum;
}

#ifdef HALVES
#define SCALED(x) x *= 0.5f
#else
#define SCALED(x)
#endif
__global__ __launch_bounds__(32) void scaled_in_a_build(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f, v;
  for (int c = 0; c < n; c += 32) {
    v = a[c + t];
    SCALED(v);
    s[t] = v;
    __syncthreads();
    v = s[31 - t];
    sum += v;
    __syncthreads();
  }
  out[t] = sum;
}
