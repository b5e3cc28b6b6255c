#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#define TILE 16
#define CHECK(call) do { cudaError_t err = (call); if (err != cudaSuccess) { \
  fprintf(stderr, "CUDA error %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); exit(EXIT_FAILURE); } } while (0)
__global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}
int main(int argc, char **argv) {
  int N = 1024;
  if (argc > 1) N = atoi(argv[1]);
  size_t bytes = N * N * sizeof(float);
  float *h_A = (float *)malloc(bytes), *h_B = (float *)malloc(bytes), *h_C = (float *)malloc(bytes);
  for (int i = 0; i < N * N; i++) { h_A[i] = rand() / (float)RAND_MAX; h_B[i] = rand() / (float)RAND_MAX; }
  float *d_A, *d_B, *d_C;
  CHECK(cudaMalloc((void **)&d_A, bytes));
  CHECK(cudaMalloc((void **)&d_B, bytes));
  CHECK(cudaMalloc((void **)&d_C, bytes));
  CHECK(cudaMemcpy(d_A, h_A, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_B, h_B, bytes, cudaMemcpyHostToDevice));
  dim3 block(TILE, TILE);
  dim3 grid((N + TILE - 1) / TILE, (N + TILE - 1) / TILE);
  matmul<<<grid, block>>>(d_A, d_B, d_C, N);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_C, d_C, bytes, cudaMemcpyDeviceToHost));
  printf("%f\n", h_C[0]);
  cudaFree(d_A); cudaFree(d_B); cudaFree(d_C);
  free(h_A); free(h_B); free(h_C);
  return 0;
}
