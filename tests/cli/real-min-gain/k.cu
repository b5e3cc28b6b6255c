#include <cuda_runtime.h>

#include <cstdlib>

#define N 4096

__global__ void rows(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = x[blockIdx.x * n + k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += tile[i] * tile[threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  const int blocks = BLOCKS;
  float *x, *out;
  cudaMalloc(&x, blocks * N * sizeof(float));
  cudaMalloc(&out, blocks * 64 * sizeof(float));
  rows<<<blocks, 64>>>(x, out, N);
  return cudaDeviceSynchronize();
}
