#include <stdlib.h>
typedef struct { int width; int height; int stride; float* elements; } Matrix;
#define BLOCK_SIZE 16
__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C) {
  float v = 0;
  int row = blockIdx.y * BLOCK_SIZE + threadIdx.y, col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  __shared__ float As[BLOCK_SIZE][BLOCK_SIZE], Bs[BLOCK_SIZE][BLOCK_SIZE];
  for (int m = 0; m < A.width / BLOCK_SIZE; ++m) {
    As[threadIdx.y][threadIdx.x] = A.elements[row * A.stride + m * BLOCK_SIZE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B.elements[(m * BLOCK_SIZE + threadIdx.y) * B.stride + col];
    __syncthreads();
    for (int e = 0; e < BLOCK_SIZE; ++e) v += As[threadIdx.y][e] * Bs[e][threadIdx.x];
    __syncthreads();
  }
  C.elements[row * C.stride + col] = v;
}
void MatMul(const Matrix A, const Matrix B, Matrix C) {
  Matrix d_A; d_A.width = d_A.stride = A.width; d_A.height = A.height;
  size_t size = A.width * A.height * sizeof(float);
  cudaMalloc(&d_A.elements, size);
  cudaMemcpy(d_A.elements, A.elements, size, cudaMemcpyHostToDevice);
  Matrix d_B; d_B.width = d_B.stride = B.width; d_B.height = B.height;
  size = B.width * B.height * sizeof(float);
  cudaMalloc(&d_B.elements, size);
  cudaMemcpy(d_B.elements, B.elements, size, cudaMemcpyHostToDevice);
  Matrix d_C; d_C.width = d_C.stride = C.width; d_C.height = C.height;
  size = C.width * C.height * sizeof(float);
  cudaMalloc(&d_C.elements, size);
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
  MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
}
int main() {
  Matrix A, B, C;
  A.width = A.height = B.width = B.height = C.width = C.height = 256;
  A.elements = (float*)malloc(256 * 256 * 4); B.elements = (float*)malloc(256 * 256 * 4); C.elements = (float*)malloc(256 * 256 * 4);
  MatMul(A, B, C);
}
