#include <stdio.h>
#ifdef USE_DOUBLE
typedef double real;
#else
typedef float real;
#endif
#ifndef BLOCK
#define BLOCK 32
#endif
#if BLOCK > 32
#error too large
#endif
__global__ void mm(const real *A, const real *B, real *C, int wA, int wB) {
  __shared__ real a[BLOCK][BLOCK];
  __shared__ real b[BLOCK][BLOCK];
  real s = 0;
  for (int t = 0; t < wA / BLOCK; t++) {
    a[threadIdx.y][threadIdx.x] = A[(blockIdx.y * BLOCK + threadIdx.y) * wA + t * BLOCK + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(t * BLOCK + threadIdx.y) * wB + blockIdx.x * BLOCK + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[(blockIdx.y * BLOCK + threadIdx.y) * wB + blockIdx.x * BLOCK + threadIdx.x] = s;
}
#define HA (4 * BLOCK)
#define WA (6 * BLOCK)
#define WB (2 * BLOCK)
int main() {
  static real hA[HA * WA], hB[WA * WB], hC[HA * WB];
  real *dA, *dB, *dC;
  cudaMalloc((void **)&dA, sizeof(hA));
  cudaMalloc((void **)&dB, sizeof(hB));
  cudaMalloc((void **)&dC, sizeof(hC));
  cudaMemcpy(dA, hA, sizeof(hA), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, hB, sizeof(hB), cudaMemcpyHostToDevice);
  dim3 threads(BLOCK, BLOCK);
  dim3 grid(WB / threads.x, HA / threads.y);
  mm<<<grid, threads>>>(dA, dB, dC, WA, WB);
  cudaMemcpy(hC, dC, sizeof(hC), cudaMemcpyDeviceToHost);
  printf("%f\n", (double)hC[0]);
  return 0;
}
