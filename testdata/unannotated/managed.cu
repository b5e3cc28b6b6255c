#include <iostream>
#define TILE_WIDTH 16
__global__ void tiledGemm(float *A, float *B, float *C, int M, int K, int N) {
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
int main(void) {
  int numARows = 300, numACols = 200, numBCols = 150;
  float *A, *B, *C;
  cudaMallocManaged(&A, numARows * numACols * sizeof(float));
  cudaMallocManaged(&B, numACols * numBCols * sizeof(float));
  cudaMallocManaged(&C, numARows * numBCols * sizeof(float));
  for (int i = 0; i < numARows * numACols; i++) A[i] = 1.0f;
  for (int i = 0; i < numACols * numBCols; i++) B[i] = 2.0f;
  dim3 dimGrid(ceil(numBCols / (1.0 * TILE_WIDTH)), ceil(numARows / (1.0 * TILE_WIDTH)), 1);
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
  tiledGemm<<<dimGrid, dimBlock>>>(A, B, C, numARows, numACols, numBCols);
  cudaDeviceSynchronize();
  std::cout << C[0] << std::endl;
  cudaFree(A); cudaFree(B); cudaFree(C);
  return 0;
}
