#include <stdio.h>
#include <stdlib.h>
#define TILE 16
__global__ void mulPitched(const float *A, size_t pa, const float *B, size_t pb, float *C, size_t pc, int n) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float s = 0;
  for (int t = 0; t < n; t += TILE) {
    a[threadIdx.y][threadIdx.x] = A[row * pa + t + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * pb + col];
    __syncthreads();
    for (int k = 0; k < TILE; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[row * pc + col] = s;
}
int main() {
  int n = 480;
  float *A, *B, *C; size_t pa, pb, pc;
  cudaMallocPitch(&A, &pa, n * sizeof(float), n);
  cudaMallocPitch(&B, &pb, n * sizeof(float), n);
  cudaMallocPitch(&C, &pc, n * sizeof(float), n);
  float *h = (float*)calloc(n * n, sizeof(float));
  cudaMemcpy2D(A, pa, h, n * sizeof(float), n * sizeof(float), n, cudaMemcpyHostToDevice);
  cudaMemcpy2D(B, pb, h, n * sizeof(float), n * sizeof(float), n, cudaMemcpyHostToDevice);
  mulPitched<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(A, pa / sizeof(float), B, pb / sizeof(float), C, pc / sizeof(float), n);
  cudaDeviceSynchronize();
}
