// Half precision GEMM on CUDA cores: padded half tiles, eight halves a load, products summed in float.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int BM = 32, BN = 32, BK = 32, PAD = 8;

// pipelinify: launch hgemm_padded
//   sizes    M=32 N=32 K=0,32,64,96,128,160
//   sizes    M=64 N=32 K=224
//   target   M=4096 N=4096 K=4096
//   let      lda = K + 8
//   let      ldb = N + 16
//   grid     N / 32, M / 32
//   block    128
//   A:       in  [M * lda]
//   lda:     lda
//   B:       in  [K * ldb]
//   ldb:     ldb
//   C:       out [M * N]
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
__global__ void __launch_bounds__(128)
hgemm_padded(const __half* __restrict__ A, int lda, const __half* __restrict__ B, int ldb,
             __half* __restrict__ C, int N, int K) {
  constexpr int stages = 3;
  __shared__ __align__(16) __half As_stage[stages][BM][BK + PAD];
  __shared__ __align__(16) __half Bs_stage[stages][BK][BN + PAD];

  const int tid = threadIdx.x;
  // 32 rows of 32 halves are four float4 a row: one for each of the 128 threads
  const int lr = tid >> 2;
  const int lc = (tid & 3) << 3;
  const int r = (tid >> 3) * 2;
  const int c = (tid & 7) * 4;

  float acc[2][4] = {};

  // pipelinify: cp.async, 3 stages, source 6e710953
  int k0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k0_load < K) {
      __pipeline_memcpy_async(&reinterpret_cast<float4*>(&As_stage[load_stage][lr][lc])[0],
                              &reinterpret_cast<const float4*>(&A[(blockIdx.y * BM + lr) * lda + k0_load + lc])[0],
                              sizeof(float4));
      __pipeline_memcpy_async(&reinterpret_cast<float4*>(&Bs_stage[load_stage][lr][lc])[0],
                              &reinterpret_cast<const float4*>(&B[(k0_load + lr) * ldb + blockIdx.x * BN + lc])[0],
                              sizeof(float4));
      k0_load += BK;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int k0 = 0; k0 < K; k0 += BK) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);

#pragma unroll 4
    for (int k = 0; k < BK; ++k) {
      const float a0 = __half2float(As_stage[stage][r][k]);
      const float a1 = __half2float(As_stage[stage][r + 1][k]);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float b = __half2float(Bs_stage[stage][k][c + j]);
        acc[0][j] += a0 * b;
        acc[1][j] += a1 * b;
      }
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + r + i) * N + blockIdx.x * BN + c + j] = __float2half(acc[i][j]);
}
