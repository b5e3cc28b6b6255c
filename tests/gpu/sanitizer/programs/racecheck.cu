#include <cuda_runtime.h>
__global__ void lost_barrier(const float *in, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    for (int k = 0; k < 256; k++) sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 1024 * sizeof(float));
  lost_barrier<<<1, 256>>>(in, out, 1024);
  cudaDeviceSynchronize();
  return 0;
}
