#include <cuda_runtime.h>
__global__ void behind_end(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n + 32) out[i] = 2.0f * i;
}
int main() {
  float *out;
  cudaMalloc(&out, 1000 * sizeof(float));
  behind_end<<<5, 256>>>(out, 1000);
  cudaDeviceSynchronize();
  return 0;
}
