#include <cuda_runtime.h>
#include <iostream>
#include <memory>
#include <vector>
struct CudaDeleter { void operator()(void *p) const { cudaFree(p); } };
template <typename T> using cuda_ptr = std::unique_ptr<T[], CudaDeleter>;
template <typename T> cuda_ptr<T> make_cuda(std::size_t n) {
  T *raw = nullptr;
  if (cudaMalloc(&raw, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
  return cuda_ptr<T>(raw);
}
template <typename T, int TILE>
__global__ void multiply(const T *a, const T *b, T *c, int n) {
  __shared__ T sa[TILE][TILE];
  __shared__ T sb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  T acc{};
  for (int k0 = 0; k0 < n; k0 += TILE) {
    sa[threadIdx.y][threadIdx.x] = a[row * n + k0 + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) acc += sa[threadIdx.y][k] * sb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = acc;
}
int main() {
  constexpr int tile = 16;
  const int n = 640;
  auto a = make_cuda<float>(n * n);
  auto b = make_cuda<float>(n * n);
  auto c = make_cuda<float>(n * n);
  std::vector<float> host(n * n, 1.0f);
  cudaMemcpy(a.get(), host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b.get(), host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  multiply<float, tile><<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a.get(), b.get(), c.get(), n);
  cudaDeviceSynchronize();
}
