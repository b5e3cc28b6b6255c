#include <cstdio>
#include <cmath>
#include <vector>
#define BR 32
#define HD 32
// scores = scale * Q K^T, one 32x32 tile a block
__global__ void qk(const float *Q, const float *K, float *S, int seq, int dim, float scale) {
  __shared__ float q[BR][HD + 1], k[BR][HD + 1];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * BR + ty, col = blockIdx.x * BR + tx;
  const float *Qh = Q + blockIdx.z * seq * dim, *Kh = K + blockIdx.z * seq * dim;
  float acc = 0.f;
  for (int d = 0; d < dim; d += HD) {
    q[ty][tx] = Qh[row * dim + d + tx];
    k[ty][tx] = Kh[(blockIdx.x * BR + ty) * dim + d + tx];
    __syncthreads();
    for (int e = 0; e < HD; ++e) acc += q[ty][e] * k[tx][e];
    __syncthreads();
  }
  S[(blockIdx.z * seq + row) * seq + col] = acc * scale;
}
int main() {
  const int heads = 12, seq = 1024, dim = 64;
  std::vector<float> hq(heads * seq * dim), hk(hq.size());
  float *q, *k, *s;
  cudaMalloc(&q, hq.size() * sizeof(float));
  cudaMalloc(&k, hk.size() * sizeof(float));
  cudaMalloc(&s, (size_t)heads * seq * seq * sizeof(float));
  cudaMemcpy(q, hq.data(), hq.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(k, hk.data(), hk.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid(seq / BR, seq / BR, heads);
  qk<<<grid, dim3(BR, BR)>>>(q, k, s, seq, dim, 1.0f / sqrtf(dim));
  cudaDeviceSynchronize();
}
