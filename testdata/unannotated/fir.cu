/* FIR filter: coefficients pass through shared memory in pieces. */
#include <stdio.h>
#include <stdlib.h>
#define PIECE 128
__global__ void fir(const float *x, const float *h, float *y, int n, int taps) {
  __shared__ float hs[PIECE];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;
  for (int p = 0; p < taps; p += PIECE) {
    hs[threadIdx.x] = h[p + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < PIECE; k++) acc += hs[k] * x[i + p + k];
    __syncthreads();
  }
  if (i < n) y[i] = acc;
}
int main(int argc, char *argv[]) {
  int n, taps;
  if (argc == 3) { n = atoi(argv[1]); taps = atoi(argv[2]); }
  else { n = 1 << 16; taps = 512; }
  float *x, *h, *y;
  cudaMallocManaged(&x, (n + taps) * sizeof(float), cudaMemAttachGlobal);
  cudaMallocManaged(&h, taps * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n + taps; i++) x[i] = rand() / (float)RAND_MAX;
  for (int i = 0; i < taps; i++) h[i] = 1.0f / taps;
  fir<<<n / PIECE, PIECE>>>(x, h, y, n, taps);
  cudaDeviceSynchronize();
  printf("%f\n", y[0]);
  cudaFree(x); cudaFree(h); cudaFree(y);
}
