#include <cstdio>
#define N 256
#define T 16
__global__ void square(float *M, const float *A, int n) {
  __shared__ float a[T][T], b[T][T];
  int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
  float s = 0;
  for (int t = 0; t < n; t += T) {
    a[threadIdx.y][threadIdx.x] = A[r * n + t + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = A[(t + threadIdx.y) * n + c];
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  M[r * n + c] = s;
}
int main() {
  float *x, *y;
  cudaMalloc(&x, N * N * sizeof(float)); cudaMalloc(&y, N * N * sizeof(float));
  cudaMemset(x, 0, N * N * sizeof(float));
  // repeated squaring, ping-pong
  for (int i = 0; i < 8; i++) {
    square<<<dim3(N / T, N / T), dim3(T, T)>>>(y, x, N);
    float *t = x; x = y; y = t;
  }
  cudaDeviceSynchronize();
}
