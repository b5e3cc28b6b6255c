#include "nowhere/config.h"
#ifdef WITH_GPU /* set by the build */
__global__ void means(const float *__restrict__ in, float *__restrict__ out, int n) {
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
#endif
