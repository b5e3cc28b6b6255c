#include <stdio.h>
#include <stdlib.h>
typedef struct { float x, y, z, q; } Atom;
#define THREADS 128
__global__ void potential(const Atom *atoms, int natoms, float *grid, int npoints, float spacing) {
  __shared__ Atom tile[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float px = i * spacing, v = 0.f;
  for (int start = 0; start < natoms; start += THREADS) {
    if (start + threadIdx.x < natoms) tile[threadIdx.x] = atoms[start + threadIdx.x];
    __syncthreads();
    int m = natoms - start < THREADS ? natoms - start : THREADS;
    for (int j = 0; j < m; j++) {
      float dx = tile[j].x - px;
      v += tile[j].q * rsqrtf(dx * dx + tile[j].y * tile[j].y + tile[j].z * tile[j].z + 0.001f);
    }
    __syncthreads();
  }
  if (i < npoints) grid[i] += v;
}
int main() {
  int natoms = 4000, npoints = 10000;
  Atom *ha = (Atom *)malloc(natoms * sizeof(Atom)), *da;
  for (int i = 0; i < natoms; i++) { ha[i].x = i; ha[i].y = 1; ha[i].z = 2; ha[i].q = 1; }
  float *dg;
  cudaMalloc(&da, natoms * sizeof(Atom));
  cudaMalloc(&dg, npoints * sizeof(float));
  cudaMemcpy(da, ha, natoms * sizeof(Atom), cudaMemcpyHostToDevice);
  cudaMemset(dg, 0, npoints * sizeof(float));
  potential<<<(npoints + THREADS - 1) / THREADS, THREADS>>>(da, natoms, dg, npoints, 0.1f);
  cudaDeviceSynchronize();
}
