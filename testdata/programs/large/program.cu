// As many numbers as the command line says, to see what comparing costs.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void neighbours(const float *in, float *out, long n) {
  __shared__ float tile[256];
  long base = blockIdx.x * 2048L;
  float sum = 0.0f;
  for (long k = 0; k < 2048; k += 256) {
    tile[threadIdx.x] = in[base + k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; i++)
      sum += tile[i] * (float)((i + threadIdx.x) % 3);
    __syncthreads();
  }
  for (long k = 0; k < 2048; k += 256)
    out[base + k + threadIdx.x] = sum + (float)k;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1 << 20;
  float *in, *out, last;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 65, n * sizeof(float));
  cudaMemset(out, 0, n * sizeof(float));
  auto start = std::chrono::steady_clock::now();
  neighbours<<<n / 2048, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - start;
  cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  printf("large: %s, %g, %.3f s\n", cudaGetErrorString(cudaGetLastError()),
         last, passed.count());
  return 0;
}
