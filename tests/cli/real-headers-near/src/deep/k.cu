#include "net/view.h"
__global__ void scaled(view<const float> in, view<float> out, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = 0; i < n; i += 32) {
    part[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += part[k] * k;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
