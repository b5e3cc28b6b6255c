#include <cuda_runtime.h>
#include <cassert>
#include <cstdio>
#include <string>
#include <vector>
#define DIV_UP(a, b) (((a) + (b)-1) / (b))
struct Tensor {
  float *data; int rows, cols;
  Tensor(int r, int c) : data(nullptr), rows(r), cols(c) { cudaMalloc(&data, bytes()); }
  size_t numel() const { return (size_t)rows * cols; }
  size_t bytes() const { return numel() * sizeof(float); }
  void fill(const std::vector<float> &h) { assert(h.size() == numel()); cudaMemcpy(data, h.data(), bytes(), cudaMemcpyHostToDevice); }
};
constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
__global__ __launch_bounds__(256) void sgemm64(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const float *Ab = A + blockIdx.y * BM * K, *Bb = B + blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += 256) As[i % BK][i / BK] = Ab[(i / BK) * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += 256) Bs[i / BN][i % BN] = Bb[(k0 + i / BN) * N + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += As[k][ty * TM + i] * Bs[k][tx * TN + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) C[(blockIdx.y * BM + ty * TM + i) * N + blockIdx.x * BN + tx * TN + j] = acc[i][j];
}
Tensor matmul(const Tensor &a, const Tensor &b) {
  Tensor c(a.rows, b.cols);
  dim3 grid(DIV_UP(c.cols, BN), DIV_UP(c.rows, BM));
  sgemm64<<<grid, 256>>>(a.data, b.data, c.data, a.rows, b.cols, a.cols);
  return c;
}
int main() {
  Tensor a(512, 256), b(256, 384);
  a.fill(std::vector<float>(a.numel(), 1.f));
  b.fill(std::vector<float>(b.numel(), 2.f));
  Tensor c = matmul(a, b);
  cudaDeviceSynchronize();
  printf("%d x %d\n", c.rows, c.cols);
}
