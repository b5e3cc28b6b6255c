#include <cstdio>
#include <cuda_runtime.h>
template <int TILE> __global__ void mmt(const float *A, const float *B, float *C, int n) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

template <int TILE> float time_it(const float *a, const float *b, float *c, int n) {
  cudaEvent_t t0, t1;
  cudaEventCreate(&t0); cudaEventCreate(&t1);
  dim3 block(TILE, TILE), grid(n / TILE, n / TILE);
  cudaEventRecord(t0);
  mmt<TILE><<<grid, block>>>(a, b, c, n);
  cudaEventRecord(t1);
  cudaEventSynchronize(t1);
  float ms; cudaEventElapsedTime(&ms, t0, t1);
  return ms;
}
int main() {
  const int n = 1024;
  const size_t bytes = sizeof(float) * n * n;
  float *a, *b, *c;
  cudaMalloc(&a, bytes); cudaMalloc(&b, bytes); cudaMalloc(&c, bytes);
  cudaMemset(a, 0, bytes); cudaMemset(b, 0, bytes);
  printf("8: %f ms\n", time_it<8>(a, b, c, n));
  printf("16: %f ms\n", time_it<16>(a, b, c, n));
  printf("32: %f ms\n", time_it<32>(a, b, c, n));
}
