#include <cuda_runtime.h>
__global__ void barrier_in_branch(float *out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 40) __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  float *out;
  cudaMalloc(&out, 64 * sizeof(float));
  barrier_in_branch<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  return 0;
}
