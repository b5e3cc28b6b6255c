#include <cstdio>
#include <vector>
#define B 64
// gathers columns by an index list, tile by tile
__global__ void gather_sum(const float *v, const int *idx, float *out, int len, int n) {
  __shared__ int ids[B];
  int i = blockIdx.x * B + threadIdx.x;
  float s = 0;
  for (int t = 0; t < len; t += B) {
    ids[threadIdx.x] = idx[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < B; k++) s += v[ids[k] * n + i];
    __syncthreads();
  }
  out[i] = s;
}
int main() {
  int rows = 100, n = 512, len = 256;
  std::vector<int> idx(len);
  for (int i = 0; i < len; i++) idx[i] = (i * 7) % rows;
  float *v, *out; int *d;
  cudaMalloc(&v, rows * n * sizeof(float)); cudaMalloc(&out, n * sizeof(float)); cudaMalloc(&d, len * sizeof(int));
  cudaMemset(v, 0, rows * n * sizeof(float));
  cudaMemcpy(d, idx.data(), len * sizeof(int), cudaMemcpyHostToDevice);
  gather_sum<<<n / B, B>>>(v, d, out, len, n);
  cudaDeviceSynchronize();
}
