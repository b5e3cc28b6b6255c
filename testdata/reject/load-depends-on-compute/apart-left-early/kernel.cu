// A variable that serves the loads, and then compute, is read behind its loop: what sets it
// anew there is jumped over.
#include <cuda_runtime.h>

__global__ __launch_bounds__(32) void by_continue(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f, v = 7.f;
  for (int o = 0; o < 3; o++) {
    if (o) out[t + 32 * o] = v;
    for (int c = 0; c < n; c += 32) {
      v = a[c + t];
      s[t] = v;
      __syncthreads();
      if (c & 32) { v = s[31 - t]; sum += v; }
      __syncthreads();
    }
    if (n & 1) continue;
    v = 0.f;
  }
  out[t] = sum;
}

__global__ __launch_bounds__(32) void by_break(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f, v = 7.f;
  do {
    for (int c = 0; c < n; c += 32) {
      v = a[c + t];
      s[t] = v;
      __syncthreads();
      if (c & 32) { v = s[31 - t]; sum += v; }
      __syncthreads();
    }
    if (n & 1) break;
    v = 0.f;
  } while (0);
  out[t] = sum + v;
}

__global__ __launch_bounds__(32) void out_of_a_switch(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float sum = 0.f, v = 7.f;
  switch (n & 1) {
  default: {
    for (int c = 0; c < n; c += 32) {
      v = a[c + t];
      s[t] = v;
      __syncthreads();
      if (c & 32) { v = s[31 - t]; sum += v; }
      __syncthreads();
    }
    if (n & 1) break;
    v = 0.f;
  }
  }
  out[t] = sum + v;
}
