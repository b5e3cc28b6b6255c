// Pointers in a struct that is passed by value, pointers in device memory, a
// pointer into the middle of an allocation.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct Problem {
  int n;
  float scale;
  const float *a;
  const float *b;
  float *out;
};

__global__ void gemm_struct(Problem p) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < p.n; k += 16) {
    as[threadIdx.y][threadIdx.x] = p.a[row * p.n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = p.b[(k + threadIdx.y) * p.n + col];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  p.out[row * p.n + col] = p.scale * sum;
}

__global__ void gemm_batched(const float *const *a, const float *b,
                             float *const *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const float *mine = a[blockIdx.z];
  float *out = c[blockIdx.z];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 16) {
    as[threadIdx.y][threadIdx.x] = mine[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  out[row * n + col] = sum;
}

int main() {
  const int n = 64, batch = 3;
  std::vector<float> host(n * n * 2);
  for (size_t i = 0; i < host.size(); i++)
    host[i] = (float)(i % 29) - 14.0f;
  float *pool;
  cudaMalloc(&pool, sizeof(float) * host.size());
  cudaMemcpy(pool, host.data(), sizeof(float) * host.size(),
             cudaMemcpyHostToDevice);
  Problem p = {n, 0.5f, pool, pool + n * n, nullptr};
  cudaMalloc(&p.out, sizeof(float) * n * n);
  gemm_struct<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(p);

  std::vector<float *> in(batch), out(batch);
  for (int i = 0; i < batch; i++) {
    cudaMalloc(&in[i], sizeof(float) * n * n);
    cudaMalloc(&out[i], sizeof(float) * n * n);
    cudaMemcpy(in[i], host.data() + i, sizeof(float) * n * n,
               cudaMemcpyHostToDevice);
  }
  float **ins, **outs;
  cudaMalloc(&ins, sizeof(float *) * batch);
  cudaMalloc(&outs, sizeof(float *) * batch);
  cudaMemcpy(ins, in.data(), sizeof(float *) * batch, cudaMemcpyHostToDevice);
  cudaMemcpy(outs, out.data(), sizeof(float *) * batch,
             cudaMemcpyHostToDevice);
  gemm_batched<<<dim3(n / 16, n / 16, batch), dim3(16, 16)>>>(
      ins, pool + n * n, outs, n);
  float last;
  cudaMemcpy(&last, out[2] + 9, sizeof last, cudaMemcpyDeviceToHost);
  printf("struct-argument: %s, %g\n", cudaGetErrorString(cudaGetLastError()),
         last);
  return 0;
}
