#include <cuda_runtime.h>
#include <stdint.h>
#define BS 16
__global__ void k_gemm(float *A, float *B, float *C, int M, int K, int N) {
  __shared__ float ds_A[BS][BS];
  __shared__ float ds_B[BS][BS];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * BS + ty, Col = bx * BS + tx;
  float Pvalue = 0;
  for (int m = 0; m < (K - 1) / BS + 1; ++m) {
    if (Row < M && m * BS + tx < K) ds_A[ty][tx] = A[Row * K + m * BS + tx];
    else ds_A[ty][tx] = 0;
    if (Col < N && m * BS + ty < K) ds_B[ty][tx] = B[(m * BS + ty) * N + Col];
    else ds_B[ty][tx] = 0;
    __syncthreads();
    for (int k = 0; k < BS; ++k) Pvalue += ds_A[ty][k] * ds_B[k][tx];
    __syncthreads();
  }
  if (Row < M && Col < N) C[Row * N + Col] = Pvalue;
}

extern "C" int gemm_host(const float *hA, const float *hB, float *hC, int32_t M, int32_t N, int32_t K) {
  float *dA = 0, *dB = 0, *dC = 0;
  size_t sA = sizeof(float) * M * K, sB = sizeof(float) * K * N, sC = sizeof(float) * M * N;
  if (cudaMalloc((void **)&dA, sA)) return -1;
  if (cudaMalloc((void **)&dB, sB)) { cudaFree(dA); return -1; }
  if (cudaMalloc((void **)&dC, sC)) { cudaFree(dA); cudaFree(dB); return -1; }
  cudaMemcpy(dA, hA, sA, cudaMemcpyHostToDevice);
  cudaMemcpy(dB, hB, sB, cudaMemcpyHostToDevice);
  dim3 t(BS, BS), g((N - 1) / BS + 1, (M - 1) / BS + 1);
  k_gemm<<<g, t>>>(dA, dB, dC, M, K, N);
  cudaMemcpy(hC, dC, sC, cudaMemcpyDeviceToHost);
  cudaFree(dA); cudaFree(dB); cudaFree(dC);
  return cudaGetLastError();
}
