// Register-blocked SGEMM (128x128x8, TM = TN = 8) that walks A and B with moving pointers.

#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define FLOAT4(p) (reinterpret_cast<float4 *>(&(p))[0])
#define CFLOAT4(p) (reinterpret_cast<const float4 *>(&(p))[0])

// pipelinify: launch sgemmVectorized<128,128,8,8,8>
//   sizes    M=128 N=128 K=8,16,24,32,40,72
//   sizes    M=128 N=256 K=0,24
//   target   M=4096 N=4096 K=4096
//   grid     N / 128, M / 128
//   block    256
//   M:       M
//   N:       N
//   K:       K
//   alpha:   1.5
//   A:       in    [M * K]
//   B:       in    [K * N]
//   beta:    0.25
//   C:       inout [M * N]
//   work     flops 2 * M * N * K
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void sgemmVectorized(int M, int N, int K, float alpha, const float *A,
                                const float *B, float beta, float *C) {
  const uint cRow = blockIdx.y;
  const uint cCol = blockIdx.x;

  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);

  __shared__ float As_stage[2][BM * BK];
  __shared__ __align__(16) float Bs_stage[2][BK * BN];

  A += cRow * BM * K;
  B += cCol * BN;
  C += cRow * BM * N + cCol * BN;

  const uint innerRowA = threadIdx.x / (BK / 4);
  const uint innerColA = threadIdx.x % (BK / 4);
  const uint innerRowB = threadIdx.x / (BN / 4);
  const uint innerColB = threadIdx.x % (BN / 4);

  float threadResults[TM * TN] = {0.0};
  float regM[TM] = {0.0};
  float regN[TN] = {0.0};

  // pipelinify: cp.async, 2 stages, source fec05dc3
  uint bkIdx = 0;
  if (bkIdx < K) {
    int stage = 0;
    auto compute_tile = [&]() {
      for (uint dot = 0; dot < BK; ++dot) {
        for (uint i = 0; i < TM; ++i) {
          regM[i] = As_stage[stage][dot * BM + threadRow * TM + i];
        }
        for (uint i = 0; i < TN; ++i) {
          regN[i] = Bs_stage[stage][dot * BN + threadCol * TN + i];
        }
        for (uint m = 0; m < TM; ++m) {
          for (uint n = 0; n < TN; ++n) {
            threadResults[m * TN + n] += regM[m] * regN[n];
          }
        }
      }
    };
    {
      float4 tmp = CFLOAT4(A[innerRowA * K + innerColA * 4]);
      As_stage[0][(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
      As_stage[0][(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
      As_stage[0][(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
      As_stage[0][(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;

      __pipeline_memcpy_async(&FLOAT4(Bs_stage[0][innerRowB * BN + innerColB * 4]),
                              &CFLOAT4(B[innerRowB * N + innerColB * 4]), sizeof(float4));

      // next tile
      A += BK;
      B += BK * N;
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    // Main loop: copy or fetch the next tile while computing on this one.
    for (bkIdx += BK; bkIdx < K; bkIdx += BK) {
      float4 tmp = CFLOAT4(A[innerRowA * K + innerColA * 4]);

      __pipeline_memcpy_async(&FLOAT4(Bs_stage[stage ^ 1][innerRowB * BN + innerColB * 4]),
                              &CFLOAT4(B[innerRowB * N + innerColB * 4]), sizeof(float4));
      __pipeline_commit();
      compute_tile();
      stage ^= 1;
      As_stage[stage][(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
      As_stage[stage][(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
      As_stage[stage][(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
      As_stage[stage][(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
      // next tile
      A += BK;
      B += BK * N;
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    compute_tile();
  }

  for (uint m = 0; m < TM; m += 1) {
    for (uint n = 0; n < TN; n += 4) {
      float4 c = CFLOAT4(C[(threadRow * TM + m) * N + threadCol * TN + n]);
      c.x = alpha * threadResults[m * TN + n] + beta * c.x;
      c.y = alpha * threadResults[m * TN + n + 1] + beta * c.y;
      c.z = alpha * threadResults[m * TN + n + 2] + beta * c.z;
      c.w = alpha * threadResults[m * TN + n + 3] + beta * c.w;
      FLOAT4(C[(threadRow * TM + m) * N + threadCol * TN + n]) = c;
    }
  }
}

void runVectorized(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  dim3 gridDim(N / 128, M / 128);
  dim3 blockDim((128 * 128) / (8 * 8));
  sgemmVectorized<128, 128, 8, 8, 8><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
}
