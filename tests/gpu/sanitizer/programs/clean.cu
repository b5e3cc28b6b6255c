#include <cstdio>
#include <cuda_runtime.h>
__global__ void fine(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * i;
}
int main() {
  float *out;
  if (cudaMalloc(&out, 1024 * sizeof(float))) { printf("no device\n"); return 4; }
  fine<<<4, 256>>>(out, 1024);
  return cudaDeviceSynchronize() ? 1 : 0;
}
