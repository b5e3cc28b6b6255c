#include <cstdio>
#include <cuda_runtime.h>
static const int W = 16;
__global__ void mmk(const float *A, const float *B, float *C, int n) {
  __shared__ float As[W][W];
  __shared__ float Bs[W][W];
  int row = blockIdx.y * W + threadIdx.y;
  int col = blockIdx.x * W + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / W; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * W + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * W + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < W; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

int main() {
  int n = 320;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) { a[i] = i; b[i] = 1; }
  void *args[] = {&a, &b, &c, &n};
  cudaLaunchKernel((void *)mmk, dim3(n / W, n / W), dim3(W, W), args, 0, 0);
  cudaDeviceSynchronize();
}
