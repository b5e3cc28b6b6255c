#include <fstream>
#include <iostream>
#include <vector>
#define TILE 16
__global__ void prod(const float *A, const float *B, float *C, int N) {
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
  std::ifstream in(argv[1]);
  int n;
  in >> n;
  std::vector<float> a(n * n), b(n * n);
  for (auto &v : a) in >> v;
  for (auto &v : b) in >> v;
  float *da, *db, *dc;
  cudaMalloc(&da, sizeof(float) * n * n);
  cudaMalloc(&db, sizeof(float) * n * n);
  cudaMalloc(&dc, sizeof(float) * n * n);
  cudaMemcpy(da, a.data(), sizeof(float) * n * n, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), sizeof(float) * n * n, cudaMemcpyHostToDevice);
  prod<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
  cudaDeviceSynchronize();
}
