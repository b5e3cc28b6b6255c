#include <cstdio>
#include <cstdlib>
#include <cassert>
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm1DBlocktiling(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const uint cRow = blockIdx.y, cCol = blockIdx.x;
  const int threadCol = threadIdx.x % BN, threadRow = threadIdx.x / BN;
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += cRow * BM * K; B += cCol * BN; C += cRow * BM * N + cCol * BN;
  const uint innerColA = threadIdx.x % BK, innerRowA = threadIdx.x / BK;
  const uint innerColB = threadIdx.x % BN, innerRowB = threadIdx.x / BN;
  float threadResults[TM] = {0.0};
  for (uint bkIdx = 0; bkIdx < K; bkIdx += BK) {
    As[innerRowA * BK + innerColA] = A[innerRowA * K + innerColA];
    Bs[innerRowB * BN + innerColB] = B[innerRowB * N + innerColB];
    __syncthreads();
    A += BK; B += BK * N;
    for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
      float tmpB = Bs[dotIdx * BN + threadCol];
      for (uint resIdx = 0; resIdx < TM; ++resIdx) threadResults[resIdx] += As[(threadRow * TM + resIdx) * BK + dotIdx] * tmpB;
    }
    __syncthreads();
  }
  for (uint resIdx = 0; resIdx < TM; ++resIdx)
    C[(threadRow * TM + resIdx) * N + threadCol] = alpha * threadResults[resIdx] + beta * C[(threadRow * TM + resIdx) * N + threadCol];
}
void runSgemm(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  const uint BM = 64, BN = 64, BK = 8, TM = 8;
  dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
  dim3 blockDim((BM * BN) / TM);
  sgemm1DBlocktiling<BM, BN, BK, TM><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
}
int main(int argc, char **argv) {
  int size = 4096;
  float alpha = 0.5, beta = 3.0;
  float *A = (float *)malloc(sizeof(float) * size * size), *B = (float *)malloc(sizeof(float) * size * size), *C = (float *)malloc(sizeof(float) * size * size);
  float *dA, *dB, *dC;
  cudaMalloc((void **)&dA, sizeof(float) * size * size);
  cudaMalloc((void **)&dB, sizeof(float) * size * size);
  cudaMalloc((void **)&dC, sizeof(float) * size * size);
  cudaMemcpy(dA, A, sizeof(float) * size * size, cudaMemcpyHostToDevice);
  cudaMemcpy(dB, B, sizeof(float) * size * size, cudaMemcpyHostToDevice);
  cudaMemcpy(dC, C, sizeof(float) * size * size, cudaMemcpyHostToDevice);
  cudaEvent_t beg, end;
  cudaEventCreate(&beg); cudaEventCreate(&end);
  for (int j = 0; j < 50; j++) runSgemm(size, size, size, alpha, dA, dB, beta, dC);
  cudaDeviceSynchronize();
  printf("done\n");
}
