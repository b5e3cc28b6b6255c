// SGEMM on float4 tiles whose columns are swizzled by XOR with the row, 64-bit leading dimensions, row pointers.
#include <cuda_runtime.h>
#include <cstdint>
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
  __shared__ float4 sa_stage[2][32][4];
  __shared__ float4 sb_stage[2][16][8];
  const unsigned t = threadIdx.x;
  const float *arow = A + (int64_t)blockIdx.y * 32 * lda;
  const float *bcol = B + (int64_t)blockIdx.x * 32;
  float acc[4][4] = {};
  const int tr = (t / 8) * 4, tc = t % 8;
  // pipelinify: ldg, 2 stages, source 9e36ecf3
  int k = 0, stage = 0;
  if (k < K) {
    auto compute_tile = [&]() {
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
    };
#pragma unroll
    for (unsigned i = t; i < 32 * 4; i += 64) {
      unsigned r = i >> 2, c = i & 3;
      sa_stage[0][r][SWZ(r, c)] = *reinterpret_cast<const float4 *>(arow + r * lda + k + c * 4);
    }
#pragma unroll
    for (unsigned i = t; i < 16 * 8; i += 64) {
      unsigned r = i >> 3, c = i & 7;
      sb_stage[0][r][c ^ (r & 7)] = *reinterpret_cast<const float4 *>(&bcol[(k + r) * ldb + c * 4]);
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k += 16; k < K; k += 16) {
      float4 sa_next[2];
      float4 sb_next[2];
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        unsigned int i = t + slot * 64;
        unsigned r = i >> 2, c = i & 3;
        sa_next[slot] = *reinterpret_cast<const float4 *>(arow + r * lda + k + c * 4);
      }
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        unsigned int i = t + slot * 64;
        unsigned r = i >> 3, c = i & 7;
        sb_next[slot] = *reinterpret_cast<const float4 *>(&bcol[(k + r) * ldb + c * 4]);
      }
      compute_tile();
      stage ^= 1;
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        unsigned int i = t + slot * 64;
        unsigned r = i >> 2, c = i & 3;
        sa_stage[stage][r][SWZ(r, c)] = sa_next[slot];
      }
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        unsigned int i = t + slot * 64;
        unsigned r = i >> 3, c = i & 7;
        sb_stage[stage][r][c ^ (r & 7)] = sb_next[slot];
      }
      __syncthreads();
    }
    compute_tile();
  }
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(C + (blockIdx.y * 32 + tr + i) * ldc + blockIdx.x * 32 + tc * 4) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
