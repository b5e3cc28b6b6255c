#include <cstdio>
#define TAPS 64
#define TB 64
__constant__ float coeff[TAPS];
__global__ void weigh(const float *x, float *y, int n) {
  __shared__ float s[TB];
  int i = blockIdx.x * TB + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < n; t += TB) {
    s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TB; k++) acc += coeff[k] * s[(k + i) % TB];
    __syncthreads();
  }
  y[i] = acc;
}
int main() {
  int n = 4096;
  float h[TAPS];
  for (int i = 0; i < TAPS; i++) h[i] = i;
  cudaMemcpyToSymbol(coeff, h, sizeof(h));
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float)); cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  weigh<<<n / TB, TB>>>(x, y, n);
  cudaDeviceSynchronize();
}
