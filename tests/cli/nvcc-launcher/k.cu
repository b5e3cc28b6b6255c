#include "tile.h"

__global__ void scale(const float *__restrict__ a, float *__restrict__ b, int n) {
  __shared__ float s[TILE];
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = a[t * TILE + threadIdx.x];
    __syncthreads();
    b[t * TILE + threadIdx.x] = s[TILE - 1 - threadIdx.x] * 2;
    __syncthreads();
  }
}
