#include <cuda_fp16.h>
#include <cstdio>
constexpr int TILE = 16;
__global__ void hgemm(const half* A, const half* B, half* C, int M, int N, int K) {
  __shared__ half As[TILE][TILE], Bs[TILE][TILE];
  int r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[threadIdx.y][threadIdx.x] = A[r * K + k0 + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * N + c];
    __syncthreads();
    for (int k = 0; k < TILE; k++) acc += __half2float(As[threadIdx.y][k]) * __half2float(Bs[k][threadIdx.x]);
    __syncthreads();
  }
  C[r * N + c] = __float2half(acc);
}
void launch_hgemm(const half* A, const half* B, half* C, int M, int N, int K, cudaStream_t stream) {
  dim3 block(TILE, TILE), grid(N / TILE, M / TILE);
  hgemm<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}
int main() {
  int M = 512, N = 256, K = 128;
  half *A, *B, *C;
  cudaMalloc(&A, M * K * sizeof(half)); cudaMalloc(&B, K * N * sizeof(half)); cudaMalloc(&C, M * N * sizeof(half));
  cudaStream_t s; cudaStreamCreate(&s);
  launch_hgemm(A, B, C, M, N, K, s);
  cudaStreamSynchronize(s);
}
