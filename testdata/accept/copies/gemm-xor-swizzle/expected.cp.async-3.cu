// SGEMM on float4 tiles whose columns are swizzled by XOR with the row, 64-bit leading dimensions, row pointers.
#include <cuda_runtime.h>
#include <cstdint>
#include <cuda_pipeline.h>
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define SWZ(r, c4) ((c4) ^ ((r) & 3))

// pipelinify: launch gemm_swz
//   sizes M=32,64 N=32 K=0,16,32,48,80
//   target M=1024 N=1024 K=1024
//   grid N / 32, M / 32
//   block 64
//   A: in [M * K] random
//   B: in [K * N] random
//   C: out [M * N]
//   lda: K
//   ldb: N
//   ldc: N
//   K: K
__global__ void __launch_bounds__(64)
gemm_swz(const float *A, const float *B, float *C, int64_t lda, int64_t ldb, int64_t ldc, int K)
{
  constexpr int stages = 3;
  __shared__ float4 sa_stage[stages][32][4];
  __shared__ float4 sb_stage[stages][16][8];
  const unsigned t = threadIdx.x;
  const float *arow = A + (int64_t)blockIdx.y * 32 * lda;
  const float *bcol = B + (int64_t)blockIdx.x * 32;
  float acc[4][4] = {};
  const int tr = (t / 8) * 4, tc = t % 8;
  // pipelinify: cp.async, 3 stages, source 9e36ecf3
  int k_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k_load < K) {
#pragma unroll
      for (unsigned i = t; i < 32 * 4; i += 64) {
        unsigned r = i >> 2, c = i & 3;
        __pipeline_memcpy_async(&sa_stage[load_stage][r][SWZ(r, c)],
                                reinterpret_cast<const float4 *>(arow + r * lda + k_load + c * 4), sizeof(float4));
      }
#pragma unroll
      for (unsigned i = t; i < 16 * 8; i += 64) {
        unsigned r = i >> 3, c = i & 7;
        __pipeline_memcpy_async(&sb_stage[load_stage][r][c ^ (r & 7)],
                                reinterpret_cast<const float4 *>(&bcol[(k_load + r) * ldb + c * 4]), sizeof(float4));
      }
      k_load += 16;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int k = 0; k < K; k += 16) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
#pragma unroll
    for (int kk = 0; kk < 16; ++kk) {
      float4 b = sb_stage[stage][kk][tc ^ (kk & 7)];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int r = tr + i;
        const float a = reinterpret_cast<const float *>(&sa_stage[stage][r][SWZ(r, kk >> 2)])[kk & 3];
        acc[i][0] += a * b.x; acc[i][1] += a * b.y; acc[i][2] += a * b.z; acc[i][3] += a * b.w;
      }
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(C + (blockIdx.y * 32 + tr + i) * ldc + blockIdx.x * 32 + tc * 4) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
