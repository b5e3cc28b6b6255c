#include <cuda_runtime.h>
#define TILE_WIDTH 16
__global__ void matrix_multiplication_kernel(float *A, float *B, float *C, int M, int K, int N) {
  __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
  __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * TILE_WIDTH + ty, Col = bx * TILE_WIDTH + tx;
  float Pvalue = 0;
  for (int m = 0; m < (K - 1) / TILE_WIDTH + 1; ++m) {
    if (Row < M && m * TILE_WIDTH + tx < K) ds_A[ty][tx] = A[Row * K + m * TILE_WIDTH + tx];
    else ds_A[ty][tx] = 0;
    if (Col < N && m * TILE_WIDTH + ty < K) ds_B[ty][tx] = B[(m * TILE_WIDTH + ty) * N + Col];
    else ds_B[ty][tx] = 0;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) Pvalue += ds_A[ty][k] * ds_B[k][tx];
    __syncthreads();
  }
  if (Row < M && Col < N) C[Row * N + Col] = Pvalue;
}
// A, B, C are device pointers
extern "C" void solve(float* A, float* B, float* C, int M, int N, int K) {
  dim3 threadsPerBlock(16, 16);
  dim3 blocksPerGrid((K + threadsPerBlock.x - 1) / threadsPerBlock.x, (M + threadsPerBlock.y - 1) / threadsPerBlock.y);
  matrix_multiplication_kernel<<<blocksPerGrid, threadsPerBlock>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
