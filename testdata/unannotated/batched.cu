#include <stdio.h>
#include <stdlib.h>
#define T 16
__global__ void bmm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float sa[T][T], sb[T][T];
  const float *pa = a + (size_t)blockIdx.z * m * k, *pb = b + (size_t)blockIdx.z * k * n;
  float *pc = c + (size_t)blockIdx.z * m * n;
  int r = blockIdx.y * T + threadIdx.y, q = blockIdx.x * T + threadIdx.x;
  float s = 0;
  for (int k0 = 0; k0 < k; k0 += T) {
    sa[threadIdx.y][threadIdx.x] = r < m && k0 + threadIdx.x < k ? pa[r * k + k0 + threadIdx.x] : 0.f;
    sb[threadIdx.y][threadIdx.x] = q < n && k0 + threadIdx.y < k ? pb[(k0 + threadIdx.y) * n + q] : 0.f;
    __syncthreads();
    for (int e = 0; e < T; e++) s += sa[threadIdx.y][e] * sb[e][threadIdx.x];
    __syncthreads();
  }
  if (r < m && q < n) pc[r * n + q] = s;
}
struct Problem { int batch, m, n, k; };
int main() {
  Problem p = {8, 128, 96, 200};
  size_t sa = (size_t)p.batch * p.m * p.k, sb = (size_t)p.batch * p.k * p.n, sc = (size_t)p.batch * p.m * p.n;
  float *a, *b, *c;
  cudaMalloc(&a, sa * sizeof(*a)); cudaMalloc(&b, sb * sizeof(*b)); cudaMalloc(&c, sc * sizeof(*c));
  float *h = new float[sa];
  for (size_t i = 0; i < sa; i++) h[i] = i & 7;
  cudaMemcpy(a, h, sa * sizeof(*a), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sb * sizeof(*b));
  dim3 grid((p.n + T - 1) / T, (p.m + T - 1) / T, p.batch);
  bmm<<<grid, dim3(T, T)>>>(a, b, c, p.m, p.n, p.k);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
  delete[] h;
}
