// Product with 12-wide K slices in 16-wide tiles: the last four columns are zeroed once, before the loop.
#include <cuda_runtime.h>

#define W 16
#define USED 12

// pipelinify: launch gemm_12in16
//   sizes    M=16 N=16 K=0,12,24,36,48,60
//   sizes    M=32 N=16 K=108
//   target   M=2048 N=2048 K=2400
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void gemm_12in16(const float *A, const float *B, float *C, int N, int K)
{
  __shared__ float As[W][W];
  __shared__ float Bs[W][W];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * W + y, col = blockIdx.x * W + x;

  As[y][x] = 0.0f;
  Bs[y][x] = 0.0f;
  __syncthreads();

  float s = 0.0f;
  // pipelinify: ldg-single, 1 stage, source 7f3f6ce5
  int k0 = 0;
  if (k0 < K) {
    auto compute_tile = [&]() {
      #pragma unroll
      for (int k = 0; k < W; k += 4) {
        s += As[y][k] * Bs[k][x];
        s += As[y][k + 1] * Bs[k + 1][x];
        s += As[y][k + 2] * Bs[k + 2][x];
        s += As[y][k + 3] * Bs[k + 3][x];
      }
    };
    if (x < USED) As[y][x] = A[row * K + k0 + x];
    if (y < USED) Bs[y][x] = B[(k0 + y) * N + col];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += USED; k0 < K; k0 += USED) {
      float As_next;
      float Bs_next;
      if (x < USED)
        As_next = A[row * K + k0 + x];
      if (y < USED)
        Bs_next = B[(k0 + y) * N + col];
      compute_tile();
      __syncthreads();
      if (x < USED)
        As[y][x] = As_next;
      if (y < USED)
        Bs[y][x] = Bs_next;
      __syncthreads();
    }
    compute_tile();
  }
  C[row * N + col] = s;
}
