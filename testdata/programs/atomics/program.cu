// A sum that depends on the order of atomic additions, and a count that does
// not.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add_up(const float *in, float *sum, int n) {
  __shared__ float tile[128];
  float mine = 0.0f;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      mine += tile[i] * (float)((threadIdx.x * 7 + blockIdx.x) % 13);
    __syncthreads();
  }
  atomicAdd(sum, mine * 1.0e-3f);
}

__global__ void tally(const float *in, unsigned *bins, int n) {
  __shared__ float tile[128];
  unsigned found = 0;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      found += tile[i] > (float)threadIdx.x / 64.0f;
    __syncthreads();
  }
  atomicAdd(&bins[threadIdx.x % 8], found);
}

int main() {
  const int n = 1024;
  float host[n], *in, *sum;
  unsigned *bins;
  for (int i = 0; i < n; i++)
    host[i] = (float)(i % 37) * 0.37f;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&sum, sizeof(float));
  cudaMalloc(&bins, 8 * sizeof(unsigned));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(float));
  cudaMemset(bins, 0, 8 * sizeof(unsigned));
  add_up<<<2000, 128>>>(in, sum, n);
  tally<<<64, 128>>>(in, bins, n);
  cudaMemcpy(host, sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("atomics: %s, %g\n", cudaGetErrorString(cudaGetLastError()), host[0]);
  return 0;
}
