// Two streams, launches in a loop, an extern "C" kernel.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define TILE 16

extern "C" __global__ void gemm_tile(const float *a, const float *b, float *c,
                                     int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

int main() {
  const int n = 128, rounds = 8;
  const size_t bytes = sizeof(float) * n * n;
  float *host = (float *)malloc(bytes);
  float *a[2], *b[2], *c[2];
  cudaStream_t streams[2];
  for (int s = 0; s < 2; s++) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    cudaMalloc(&a[s], bytes);
    cudaMalloc(&b[s], bytes);
    cudaMalloc(&c[s], bytes);
    for (int i = 0; i < n * n; i++)
      host[i] = (float)((i * (s + 3)) % 17) - 8.0f;
    cudaMemcpy(a[s], host, bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < n * n; i++)
      host[i] = (float)((i * 5 + s) % 13) / 16.0f;
    cudaMemcpy(b[s], host, bytes, cudaMemcpyHostToDevice);
  }
  dim3 block(TILE, TILE), grid(n / TILE, n / TILE);
  for (int r = 0; r < rounds; r++) {
    int s = r % 2;
    gemm_tile<<<grid, block, 0, streams[s]>>>(a[s], b[s], c[s], n);
    float *old = a[s];
    a[s] = c[s];
    c[s] = old;
  }
  cudaDeviceSynchronize();
  cudaMemcpy(host, a[1], bytes, cudaMemcpyDeviceToHost);
  printf("streams: %s, c[5] = %g\n", cudaGetErrorString(cudaGetLastError()),
         host[5]);
  return 0;
}
