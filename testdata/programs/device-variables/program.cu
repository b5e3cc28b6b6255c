// Variables of the program that kernels read and write by name: constant
// weights that change between launches, a result, a running count, memory
// behind a global pointer.
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float weights[64];
__device__ float result[64];
__device__ unsigned rounds;
__device__ float *history;
static __device__ int offset = 1;

__global__ void weighted(const float *in, int n) {
  __shared__ float tile[64];
  float sum = (float)offset;
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i++)
      sum += tile[i] * weights[i] + (float)threadIdx.x;
    __syncthreads();
  }
  result[threadIdx.x] += sum;
  history[rounds * 64 + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    rounds++;
}

int main() {
  const int n = 256;
  float host[n], *in, *memory;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&memory, 4 * 64 * sizeof(float));
  cudaMemcpyToSymbol(history, &memory, sizeof memory);
  for (int r = 0; r < 4; r++) {
    for (int i = 0; i < n; i++)
      host[i] = (float)((i + r) % 7);
    cudaMemcpyToSymbol(weights, host, sizeof weights);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    weighted<<<1, 64>>>(in, n);
  }
  float sums[64];
  unsigned count;
  cudaMemcpyFromSymbol(sums, result, sizeof sums);
  cudaMemcpyFromSymbol(&count, rounds, sizeof count);
  printf("device-variables: %s, %u rounds, %g\n",
         cudaGetErrorString(cudaGetLastError()), count, sums[5]);
  return count != 4;
}
