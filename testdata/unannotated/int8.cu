#include <cstdint>
#include <cstdio>
#include <vector>
#define TB 32
__global__ void igemm(const int8_t* A, const int8_t* B, int32_t* C, int n) {
  __shared__ int8_t As[TB][TB];
  __shared__ int8_t Bs[TB][TB];
  int row = blockIdx.y * TB + threadIdx.y, col = blockIdx.x * TB + threadIdx.x;
  int32_t acc = 0;
  for (int t = 0; t < n; t += TB) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TB; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = acc;
}
int main() {
  constexpr int n = 256;
  std::vector<int8_t> a(n * n, 3), b(n * n, -2);
  int8_t *da, *db; int32_t* dc;
  cudaMalloc(&da, a.size()); cudaMalloc(&db, b.size()); cudaMalloc(&dc, n * n * sizeof(int32_t));
  cudaMemcpy(da, a.data(), a.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size(), cudaMemcpyHostToDevice);
  igemm<<<dim3(n / TB, n / TB), dim3(TB, TB)>>>(da, db, dc, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
