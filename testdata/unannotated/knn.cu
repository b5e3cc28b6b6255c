#include <cstdio>
#include <cstdlib>
#include <cmath>
// Brute-force distances: queries against a tiled reference set
#define DIM 8
#define TPB 128
__global__ void nearest(const float *ref, const float *query, int *best, float *dist, int nref, int nq) {
  __shared__ float tile[TPB * DIM];
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  float me[DIM];
  for (int d = 0; d < DIM; ++d) me[d] = q < nq ? query[q * DIM + d] : 0.f;
  float bd = 1e30f; int bi = -1;
  for (int base = 0; base < nref; base += TPB) {
    int r = base + threadIdx.x;
    for (int d = 0; d < DIM; ++d) tile[threadIdx.x * DIM + d] = r < nref ? ref[r * DIM + d] : 1e15f;
    __syncthreads();
    for (int j = 0; j < TPB; ++j) {
      float s = 0;
      for (int d = 0; d < DIM; ++d) { float t = tile[j * DIM + d] - me[d]; s += t * t; }
      if (s < bd) { bd = s; bi = base + j; }
    }
    __syncthreads();
  }
  if (q < nq) { best[q] = bi; dist[q] = sqrtf(bd); }
}
int main() {
  const int nref = 10000, nq = 2500;
  float *href = (float*)malloc(nref * DIM * sizeof(float)), *hq = (float*)malloc(nq * DIM * sizeof(float));
  for (int i = 0; i < nref * DIM; i++) href[i] = (float)rand() / RAND_MAX;
  for (int i = 0; i < nq * DIM; i++) hq[i] = (float)rand() / RAND_MAX;
  float *dref, *dq, *ddist; int *dbest;
  cudaMalloc((void**)&dref, nref * DIM * sizeof(float));
  cudaMalloc((void**)&dq, nq * DIM * sizeof(float));
  cudaMalloc((void**)&ddist, nq * sizeof(float));
  cudaMalloc((void**)&dbest, nq * sizeof(int));
  cudaMemcpy(dref, href, nref * DIM * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dq, hq, nq * DIM * sizeof(float), cudaMemcpyHostToDevice);
  nearest<<<(nq + TPB - 1) / TPB, TPB>>>(dref, dq, dbest, ddist, nref, nq);
  cudaDeviceSynchronize();
  printf("done\n");
}
