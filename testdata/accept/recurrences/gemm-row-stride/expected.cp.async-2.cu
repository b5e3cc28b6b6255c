// 2D block-tiled SGEMM: scalar loads by rows, each thread strides down the tile; pointers advance after the compute.
#include <cassert>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch sgemm2DBlocktiling<64, 64, 8, 8, 8>
//   sizes    M=64 N=64 K=0,8,16,24,32,40
//   sizes    M=128 N=64 K=56
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, M / 64
//   block    64
//   M:       M
//   N:       N
//   K:       K
//   alpha:   1.0
//   A:       in    [M * K]
//   B:       in    [K * N]
//   beta:    1.0
//   C:       inout [M * N]
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm2DBlocktiling(int M, int N, int K, float alpha, const float *A,
                       const float *B, float beta, float *C) {
  const unsigned cRow = blockIdx.y;
  const unsigned cCol = blockIdx.x;
  const unsigned numThreads = BM * BN / (TM * TN);
  assert(numThreads == blockDim.x);

  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);

  __shared__ float As_stage[2][BM * BK];
  __shared__ float Bs_stage[2][BK * BN];

  A += cRow * BM * K;
  B += cCol * BN;
  C += cRow * BM * N + cCol * BN;

  const unsigned innerRowA = threadIdx.x / BK;
  const unsigned innerColA = threadIdx.x % BK;
  const unsigned strideA = numThreads / BK;
  const unsigned innerRowB = threadIdx.x / BN;
  const unsigned innerColB = threadIdx.x % BN;
  const unsigned strideB = numThreads / BN;

  float results[TM * TN] = {0.0};
  float regM[TM] = {0.0};
  float regN[TN] = {0.0};

  // pipelinify: cp.async, 2 stages, source 0856ca11
  unsigned bkIdx_load = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (bkIdx_load < K) {
      for (unsigned loadOffset = 0; loadOffset < BM; loadOffset += strideA) {
        __pipeline_memcpy_async(&As_stage[load_stage][(innerRowA + loadOffset) * BK + innerColA],
                                &A[(innerRowA + loadOffset) * K + innerColA], sizeof(float));
      }
      for (unsigned loadOffset = 0; loadOffset < BK; loadOffset += strideB) {
        __pipeline_memcpy_async(&Bs_stage[load_stage][(innerRowB + loadOffset) * BN + innerColB],
                                &B[(innerRowB + loadOffset) * N + innerColB], sizeof(float));
      }

      A += BK;
      B += BK * N;
      bkIdx_load += BK;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  int stage = 0;
  // Main loop: 1 tile is in flight while computing on one.
  for (unsigned bkIdx = 0; bkIdx < K; bkIdx += BK) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (unsigned dotIdx = 0; dotIdx < BK; ++dotIdx) {
      for (unsigned i = 0; i < TM; ++i) {
        regM[i] = As_stage[stage][(threadRow * TM + i) * BK + dotIdx];
      }
      for (unsigned i = 0; i < TN; ++i) {
        regN[i] = Bs_stage[stage][dotIdx * BN + threadCol * TN + i];
      }
      for (unsigned resIdxM = 0; resIdxM < TM; ++resIdxM) {
        for (unsigned resIdxN = 0; resIdxN < TN; ++resIdxN) {
          results[resIdxM * TN + resIdxN] += regM[resIdxM] * regN[resIdxN];
        }
      }
    }
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  for (unsigned m = 0; m < TM; ++m) {
    for (unsigned n = 0; n < TN; ++n) {
      C[(threadRow * TM + m) * N + threadCol * TN + n] =
          alpha * results[m * TN + n] +
          beta * C[(threadRow * TM + m) * N + threadCol * TN + n];
    }
  }
}

void run(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  sgemm2DBlocktiling<64, 64, 8, 8, 8>
      <<<dim3(N / 64, M / 64), 64>>>(M, N, K, alpha, A, B, beta, C);
}
