#include <cstdio>
#include <cstdlib>
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  extern __shared__ float sm[];
  int ts = blockDim.x;
  float* sa = sm; float* sb = sm + ts * ts;
  int r = blockIdx.y * ts + threadIdx.y, q = blockIdx.x * ts + threadIdx.x;
  float s = 0;
  for (int t = 0; t < n / ts; t++) {
    sa[threadIdx.y * ts + threadIdx.x] = a[r * n + t * ts + threadIdx.x];
    sb[threadIdx.y * ts + threadIdx.x] = b[(t * ts + threadIdx.y) * n + q];
    __syncthreads();
    for (int k = 0; k < ts; k++) s += sa[threadIdx.y * ts + k] * sb[k * ts + threadIdx.x];
    __syncthreads();
  }
  c[r * n + q] = s;
}
int main() {
  int n = 1 << 9, threads = 16;
  size_t bytes = sizeof(float) * n * n;
  float *a, *b, *c;
  cudaMallocManaged(&a, bytes); cudaMallocManaged(&b, bytes); cudaMallocManaged(&c, bytes);
  for (int i = 0; i < n * n; i++) a[i] = b[i] = 1.f;
  dim3 block(threads, threads), grid(n / threads, n / threads);
  size_t smem = 2 * threads * threads * sizeof(float);
  matmul<<<grid, block, smem>>>(a, b, c, n);
  cudaDeviceSynchronize();
  printf("%f\n", c[1]);
}
