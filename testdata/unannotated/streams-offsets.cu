#include <stdio.h>
#define T 16
__global__ void gemmChunk(const float *A, const float *B, float *C, int rows, int n) {
  __shared__ float sA[T][T], sB[T][T];
  int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
  float v = 0;
  for (int t = 0; t < n / T; t++) {
    sA[threadIdx.y][threadIdx.x] = r < rows ? A[r * n + t * T + threadIdx.x] : 0.f;
    sB[threadIdx.y][threadIdx.x] = B[(t * T + threadIdx.y) * n + c];
    __syncthreads();
    for (int k = 0; k < T; k++) v += sA[threadIdx.y][k] * sB[k][threadIdx.x];
    __syncthreads();
  }
  if (r < rows) C[r * n + c] = v;
}
int main() {
  const int n = 1024, nStreams = 4, rows = n / nStreams;
  size_t bytes = n * n * sizeof(float), chunk = rows * n * sizeof(float);
  float *hA, *hB, *hC, *dA, *dB, *dC;
  cudaMallocHost(&hA, bytes); cudaMallocHost(&hB, bytes); cudaMallocHost(&hC, bytes);
  cudaMalloc(&dA, bytes); cudaMalloc(&dB, bytes); cudaMalloc(&dC, bytes);
  cudaStream_t s[nStreams];
  for (int i = 0; i < nStreams; i++) cudaStreamCreate(&s[i]);
  cudaMemcpy(dB, hB, bytes, cudaMemcpyHostToDevice);
  dim3 block(T, T), grid(n / T, rows / T);
  for (int i = 0; i < nStreams; i++) {
    int off = i * rows * n;
    cudaMemcpyAsync(dA + off, hA + off, chunk, cudaMemcpyHostToDevice, s[i]);
    gemmChunk<<<grid, block, 0, s[i]>>>(dA + off, dB, dC + off, rows, n);
    cudaMemcpyAsync(hC + off, dC + off, chunk, cudaMemcpyDeviceToHost, s[i]);
  }
  cudaDeviceSynchronize();
  printf("%f\n", hC[0]);
}
