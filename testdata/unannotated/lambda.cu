#include <chrono>
#include <functional>
#include <iostream>
#include <vector>
static constexpr int BS = 16;
__global__ void tiled(const float *A, const float *B, float *C, int n) {
  __shared__ float As[BS][BS];
  __shared__ float Bs[BS][BS];
  int row = blockIdx.y * BS + threadIdx.y;
  int col = blockIdx.x * BS + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / BS; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * BS + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * BS + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < BS; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

template <class F> double bench(F&& f, int reps = 5) {
  f();
  cudaDeviceSynchronize();
  auto t0 = std::chrono::steady_clock::now();
  for (int i = 0; i < reps; ++i) f();
  cudaDeviceSynchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count() / reps;
}
int main() {
  for (int n : {256, 512, 1024}) {
    float *a, *b, *c;
    const std::size_t bytes = std::size_t(n) * n * sizeof(float);
    cudaMalloc(&a, bytes); cudaMalloc(&b, bytes); cudaMalloc(&c, bytes);
    std::vector<float> h(n * n, 1.f);
    cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
    double s = bench([&] { tiled<<<dim3(n / BS, n / BS), dim3(BS, BS)>>>(a, b, c, n); });
    std::cout << n << " " << 2.0 * n * n * n / s * 1e-9 << " GFLOP/s\n";
    cudaFree(a); cudaFree(b); cudaFree(c);
  }
}
