#include <cstdio>
#include <cstdlib>
#define D 4
#define CHUNK 64
__global__ void assign(const float *points, const float *centroids, int *labels, int n, int k) {
  __shared__ float c[CHUNK][D];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p[D];
  for (int d = 0; d < D; d++) p[d] = i < n ? points[i * D + d] : 0;
  float best = 3.4e38f; int label = 0;
  for (int base = 0; base < k; base += CHUNK) {
    if (threadIdx.x < CHUNK)
      for (int d = 0; d < D; d++)
        c[threadIdx.x][d] = base + threadIdx.x < k ? centroids[(base + threadIdx.x) * D + d] : 1e18f;
    __syncthreads();
    for (int j = 0; j < CHUNK; j++) {
      float s = 0;
      for (int d = 0; d < D; d++) s += (c[j][d] - p[d]) * (c[j][d] - p[d]);
      if (s < best) { best = s; label = base + j; }
    }
    __syncthreads();
  }
  if (i < n) labels[i] = label;
}
int main() {
  int n = 100000, k = 300, iters = 5;
  float *p, *c; int *l;
  cudaMalloc(&p, n * D * sizeof(float)); cudaMalloc(&c, k * D * sizeof(float)); cudaMalloc(&l, n * sizeof(int));
  float *hp = (float *)malloc(n * D * sizeof(float));
  for (int i = 0; i < n * D; i++) hp[i] = drand48();
  cudaMemcpy(p, hp, n * D * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, hp, k * D * sizeof(float), cudaMemcpyHostToDevice);
  int threads = 128, blocks = (n + threads - 1) / threads;
  while (iters-- > 0) {
    assign<<<blocks, threads>>>(p, c, l, n, k);
    cudaDeviceSynchronize();
  }
  return 0;
}
