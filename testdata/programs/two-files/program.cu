// The kernels of a program whose main is elsewhere.
#include "kernels.h"

__global__ void blend(const float *in, float *out, int n) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      sum += tile[i] * (float)(i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

void launch_blend(const float *in, float *out, int n, cudaStream_t stream) {
  blend<<<1, 128, 0, stream>>>(in, out, n);
}
