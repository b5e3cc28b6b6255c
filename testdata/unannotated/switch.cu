#include <stdio.h>
#include <stdlib.h>
#define TS 16
__global__ void naive(const float *A, const float *B, float *C, int N) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < N; k++) s += A[r * N + k] * B[k * N + c];
  C[r * N + c] = s;
}
__global__ void shared_mem(const float *A, const float *B, float *C, int N) {
  __shared__ float As[TS][TS];
  __shared__ float Bs[TS][TS];
  int row = blockIdx.y * TS + threadIdx.y;
  int col = blockIdx.x * TS + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N / TS; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * N + t * TS + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TS + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TS; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

void run_kernel(int which, float *A, float *B, float *C, int N) {
  dim3 b(TS, TS), g(N / TS, N / TS);
  switch (which) {
  case 0: naive<<<g, b>>>(A, B, C, N); break;
  case 1: shared_mem<<<g, b>>>(A, B, C, N); break;
  default: fprintf(stderr, "no such kernel\n"); exit(1);
  }
}
int main(int argc, char *argv[]) {
  if (argc < 2) { printf("usage: %s KERNEL [N]\n", argv[0]); return 1; }
  int which = atoi(argv[1]);
  int N = argc > 2 ? atoi(argv[2]) : 2048;
  float *A, *B, *C;
  cudaMalloc(&A, N * N * sizeof(float)); cudaMalloc(&B, N * N * sizeof(float)); cudaMalloc(&C, N * N * sizeof(float));
  cudaMemset(A, 1, N * N * sizeof(float)); cudaMemset(B, 1, N * N * sizeof(float));
  run_kernel(which, A, B, C, N);
  cudaDeviceSynchronize();
}
