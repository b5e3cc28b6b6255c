/* SGEMM written through accessor macros, column-major as in BLAS (32x32x8, 2x2 outputs a thread). */

#include <cuda_pipeline.h>

#define BM 32
#define BN 32
#define BK 8
#define A(i,j)   A[(i) + (j)*lda]
#define B(i,j)   B[(i) + (j)*ldb]
#define C(i,j)   C[(i) + (j)*ldc]
#define AS(r,c)  As[(r)*BK+(c)]
#define BS(r,c)  Bs[(r)*BN+(c)]

// pipelinify: launch mysgemm
//   sizes    M=32 N=32 K=0,8,16,24,32,40
//   sizes    M=64 N=32 K=72
//   let      lda = M + 1
//   let      ldb = K + 3
//   let      ldc = M + 2
//   target   M=4096 N=4096 K=4096
//   grid     M / 32, N / 32
//   block    256
//   M:       M
//   N:       N
//   K:       K
//   alpha:   1.25
//   A:       in    [lda * K]
//   lda:     lda
//   B:       in    [ldb * N]
//   ldb:     ldb
//   beta:    0.5
//   C:       inout [ldc * N]
//   ldc:     ldc
__global__ __launch_bounds__(256)
void mysgemm(int M, int N, int K, float alpha, float* A, int lda, float* B, int ldb, float beta, float* C, int ldc){
  int tx = threadIdx.x;
  int row = (tx & 15) << 1, col = (tx >> 4) << 1;
  int row_a = tx & 31, col_a = tx >> 5;
  int row_b = tx & 7,  col_b = tx >> 3;
  A = &A((blockIdx.x << 5), 0);
  B = &B(0, (blockIdx.y << 5));
  C = &C((blockIdx.x << 5), (blockIdx.y << 5));
  __shared__ float As_stage[2][BM*BK];
  __shared__ float Bs_stage[2][BK*BN];
  float c00 = 0., c01 = 0., c10 = 0., c11 = 0.;
  float a0, a1, b0, b1;
  // pipelinify: cp.async, 2 stages, source f6ff6091
  int kc_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (kc_load < K) {
      auto &As = As_stage[load_stage];
      auto &Bs = Bs_stage[load_stage];
      __pipeline_memcpy_async(&AS(row_a, col_a), &A(row_a, col_a), sizeof(float));
      __pipeline_memcpy_async(&BS(row_b, col_b), &B(row_b, col_b), sizeof(float));
      A += lda << 3;
      B += 8;
      kc_load += BK;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int kc = 0; kc < K; kc += BK){
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    auto &As = As_stage[stage];
    auto &Bs = Bs_stage[stage];
    #pragma unroll
    for (int k = 0; k < BK; k++){
      a0 = AS(row, k);   a1 = AS(row+1, k);
      b0 = BS(k, col);   b1 = BS(k, col+1);
      c00 += a0*b0; c01 += a0*b1;
      c10 += a1*b0; c11 += a1*b1;
    }
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  C(row,col)     = alpha*c00 + beta*C(row,col);
  C(row,col+1)   = alpha*c01 + beta*C(row,col+1);
  C(row+1,col)   = alpha*c10 + beta*C(row+1,col);
  C(row+1,col+1) = alpha*c11 + beta*C(row+1,col+1);
}
