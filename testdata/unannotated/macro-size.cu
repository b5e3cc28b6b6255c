#include <stdio.h>
#define N 512
#define BLOCK_SIZE 16
__global__ void mul(float *a, float *b, float *c) {
  __shared__ float sa[BLOCK_SIZE][BLOCK_SIZE], sb[BLOCK_SIZE][BLOCK_SIZE];
  int r = blockIdx.y * BLOCK_SIZE + threadIdx.y, q = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  float s = 0;
  for (int t = 0; t < N; t += BLOCK_SIZE) {
    sa[threadIdx.y][threadIdx.x] = a[r * N + t + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * N + q];
    __syncthreads();
    for (int k = 0; k < BLOCK_SIZE; k++) s += sa[threadIdx.y][k] * sb[k][threadIdx.x];
    __syncthreads();
  }
  c[r * N + q] = s;
}
float ha[N * N], hb[N * N], hc[N * N];
int main() {
  float *da, *db, *dc;
  cudaMalloc(&da, sizeof(ha)); cudaMalloc(&db, sizeof(hb)); cudaMalloc(&dc, sizeof(hc));
  for (int i = 0; i < N * N; i++) { ha[i] = i % 7; hb[i] = i % 5; }
  cudaMemcpy(da, ha, sizeof(ha), cudaMemcpyHostToDevice);
  cudaMemcpy(db, hb, sizeof(hb), cudaMemcpyHostToDevice);
  mul<<<dim3(N / BLOCK_SIZE, N / BLOCK_SIZE), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(da, db, dc);
  cudaMemcpy(hc, dc, sizeof(hc), cudaMemcpyDeviceToHost);
  printf("%g\n", hc[0]);
}
