// Product with a K loop that runs until k0 == K; reports the columns consumed by each block.
#include <cuda_runtime.h>

typedef long long i64;

// pipelinify: launch gemm_counted
//   sizes    M=8 N=16 K=0,16,32,48,64,80,144
//   sizes    M=24 N=32 K=48
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 8
//   block    16, 8
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   used:    out [(M / 8) * (N / 16)]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_counted(const float *A, const float *B, float *C, i64 *used, i64 M, i64 N, i64 K)
{
  __shared__ float a[8][16];
  __shared__ float b[16][16];

  const i64 row = blockIdx.y * 8 + threadIdx.y;
  const i64 col = blockIdx.x * 16 + threadIdx.x;
  const float *pa = A + row * K + threadIdx.x;
  const float *pb = B + threadIdx.y * N + col;

  float sum = 0.0f;
  i64 k0;
  // pipelinify: ldg-single, 1 stage, source 96bd0444
  k0 = 0;
  if (k0 != K)
  {
    a[threadIdx.y][threadIdx.x] = *pa;
    b[threadIdx.y][threadIdx.x] = *pb;
    b[threadIdx.y + 8][threadIdx.x] = pb[8 * N];
    pa += 16;
    pb += 16 * N;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += 16; k0 != K; k0 += 16)
    {
      float a_next = *pa;
      float b_next = *pb;
      float b_next2 = pb[8 * N];

      for (int k = 0; k < 16; ++k)
        sum += a[threadIdx.y][k] * b[k][threadIdx.x];
      __syncthreads();
      a[threadIdx.y][threadIdx.x] = a_next;
      b[threadIdx.y][threadIdx.x] = b_next;
      b[threadIdx.y + 8][threadIdx.x] = b_next2;
      pa += 16;
      pb += 16 * N;
      __syncthreads();
    }
    for (int k = 0; k < 16; ++k)
      sum += a[threadIdx.y][k] * b[k][threadIdx.x];
  }

  C[row * N + col] = sum;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    used[blockIdx.y * gridDim.x + blockIdx.x] = k0 + (pa - A) - row * K;
}
