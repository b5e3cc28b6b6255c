#include <iostream>
#include <vector>
#include <random>
template <int TS>
__global__ void sgemm(int M, int N, int K, const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C) {
  __shared__ float As[TS][TS + 1];
  __shared__ float Bs[TS][TS];
  const int row = blockIdx.y * TS + threadIdx.y, col = blockIdx.x * TS + threadIdx.x;
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += TS) {
    As[threadIdx.y][threadIdx.x] = (row < M && k0 + threadIdx.x < K) ? A[row * K + k0 + threadIdx.x] : 0.f;
    Bs[threadIdx.y][threadIdx.x] = (col < N && k0 + threadIdx.y < K) ? B[(k0 + threadIdx.y) * N + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TS; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
int main() {
  const int M = 1000, N = 700, K = 333;
  std::vector<float> hA(M * K), hB(K * N), hC(M * N);
  std::mt19937 rng(1);
  for (auto& x : hA) x = rng() % 10;
  for (auto& x : hB) x = rng() % 10;
  float *dA = nullptr, *dB = nullptr, *dC = nullptr;
  cudaMalloc(&dA, hA.size() * sizeof(float));
  cudaMalloc(&dB, hB.size() * sizeof(float));
  cudaMalloc(&dC, hC.size() * sizeof(float));
  cudaMemcpy(dA, hA.data(), hA.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, hB.data(), hB.size() * sizeof(float), cudaMemcpyHostToDevice);
  constexpr int TS = 32;
  dim3 threads(TS, TS), blocks(ceil_div(N, TS), ceil_div(M, TS));
  sgemm<TS><<<blocks, threads>>>(M, N, K, dA, dB, dC);
  cudaMemcpy(hC.data(), dC, hC.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::cout << hC[0] << "\n";
}
