#include <cuda_runtime.h>
#include <iostream>
#include <stdexcept>
#include <vector>
#define CUDA_CHECK(x) do { auto e = (x); if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e)); } while (0)
template <class T> class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t n) : n_(n) { CUDA_CHECK(cudaMalloc(&ptr_, n * sizeof(T))); }
  ~DeviceBuffer() { cudaFree(ptr_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  T* get() const { return ptr_; }
  void upload(const std::vector<T>& h) { CUDA_CHECK(cudaMemcpy(ptr_, h.data(), n_ * sizeof(T), cudaMemcpyHostToDevice)); }
  void download(std::vector<T>& h) const { CUDA_CHECK(cudaMemcpy(h.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost)); }
 private:
  T* ptr_ = nullptr;
  size_t n_ = 0;
};
constexpr int kTile = 16;
__global__ void gemm_tiled(const float *A, const float *B, float *C, int n) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y;
  int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / kTile; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * kTile + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * kTile + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

int main() {
  const int n = 768;
  std::vector<float> a(n * n, 1.f), b(n * n, 2.f), c(n * n);
  DeviceBuffer<float> da(a.size()), db(b.size()), dc(c.size());
  da.upload(a); db.upload(b);
  const dim3 block(kTile, kTile), grid(n / kTile, n / kTile);
  gemm_tiled<<<grid, block>>>(da.get(), db.get(), dc.get(), n);
  CUDA_CHECK(cudaDeviceSynchronize());
  dc.download(c);
  std::cout << c.front() << '\n';
}
