#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
namespace sim {
constexpr int kBlock = 64;
__global__ void interact(const float *x, const float *m, float *f, int n) {
  __shared__ float sx[kBlock];
  __shared__ float sm[kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  float xi = i < n ? x[i] : 0.f, acc = 0.f;
  for (int t = 0; t < n; t += kBlock) {
    int j = t + threadIdx.x;
    sx[threadIdx.x] = j < n ? x[j] : 0.f;
    sm[threadIdx.x] = j < n ? m[j] : 0.f;
    __syncthreads();
    for (int k = 0; k < kBlock; ++k) { float d = sx[k] - xi; acc += sm[k] * d / (d * d * fabsf(d) + 0.01f); }
    __syncthreads();
  }
  if (i < n) f[i] = acc;
}
class Engine {
 public:
  Engine(int n) : n_(n) {
    cudaMalloc(&x_, n_ * sizeof(float));
    cudaMalloc(&m_, n_ * sizeof(float));
    cudaMalloc(&f_, n_ * sizeof(float));
  }
  ~Engine() { cudaFree(x_); cudaFree(m_); cudaFree(f_); }
  void load(const std::vector<float> &x, const std::vector<float> &m) {
    cudaMemcpy(x_, x.data(), n_ * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(m_, m.data(), n_ * sizeof(float), cudaMemcpyHostToDevice);
  }
  void step() {
    const int blocks = (n_ + kBlock - 1) / kBlock;
    interact<<<blocks, kBlock>>>(x_, m_, f_, n_);
    cudaDeviceSynchronize();
  }
 private:
  int n_;
  float *x_, *m_, *f_;
};
}  // namespace sim
int main() {
  std::vector<float> x(3000), m(3000, 1.f);
  for (size_t i = 0; i < x.size(); ++i) x[i] = i * 0.1f;
  sim::Engine e(3000);
  e.load(x, m);
  for (int s = 0; s < 100; ++s) e.step();
  std::puts("ok");
}
