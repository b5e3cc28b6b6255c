// Int8 tensor core GEMM with 32-bit sums; row-major A, row-major B, sixteen bytes a load.
#include <mma.h>
#include <stdint.h>
#include <cuda_pipeline.h>

using nvcuda::wmma::accumulator;
using nvcuda::wmma::fill_fragment;
using nvcuda::wmma::fragment;
using nvcuda::wmma::load_matrix_sync;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::mem_row_major;
using nvcuda::wmma::mma_sync;
using nvcuda::wmma::row_major;
using nvcuda::wmma::store_matrix_sync;

static constexpr int kBM = 64;
static constexpr int kBN = 64;
static constexpr int kBK = 32;

// pipelinify: launch igemm_wmma
//   sizes    M=64 N=64 K=0,32,64,96,128,160
//   sizes    M=64 N=128 K=224
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, M / 64
//   block    128
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
//   work     bytes M * K + K * N + 4 * M * N
extern "C" __global__ void igemm_wmma(const int8_t *__restrict__ A,
                                      const int8_t *__restrict__ B,
                                      int32_t *__restrict__ C,
                                      int M, int N, int K)
{
  __shared__ __align__(32) int8_t As_stage[2][kBM * kBK];
  __shared__ __align__(32) int8_t Bs_stage[2][kBK * kBN];

  const int tid = threadIdx.x;
  const int warp_m = (tid / 32) / 2;
  const int warp_n = (tid / 32) % 2;

  const int8_t *Ag = A + blockIdx.y * kBM * K + (tid / 2) * K + (tid % 2) * 16;
  const int8_t *Bg = B + (tid / 4) * N + blockIdx.x * kBN + (tid % 4) * 16;

  fragment<accumulator, 16, 16, 16, int> acc[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      fill_fragment(acc[i][j], 0);

  // pipelinify: cp.async, 2 stages, source 8eac3027
  int k0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
  {
    if (k0_load < K)
    {
      __pipeline_memcpy_async((int4 *)(As_stage[load_stage] + tid * 16),
                              (const int4 *)(Ag + k0_load), sizeof(int4));
      __pipeline_memcpy_async((int4 *)(Bs_stage[load_stage] + tid * 16),
                              (const int4 *)(Bg + k0_load * N), sizeof(int4));
      k0_load += kBK;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int k0 = 0; k0 < K; k0 += kBK)
  {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int kk = 0; kk < kBK; kk += 16)
    {
      fragment<matrix_a, 16, 16, 16, signed char, row_major> a[2];
      fragment<matrix_b, 16, 16, 16, signed char, row_major> b[2];
      for (int i = 0; i < 2; i++)
        load_matrix_sync(a[i], As_stage[stage] + (warp_m * 32 + i * 16) * kBK + kk, kBK);
      for (int j = 0; j < 2; j++)
        load_matrix_sync(b[j], Bs_stage[stage] + kk * kBN + warp_n * 32 + j * 16, kBN);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }

    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      store_matrix_sync(C + (blockIdx.y * kBM + warp_m * 32 + i * 16) * N
                          + blockIdx.x * kBN + warp_n * 32 + j * 16,
                        acc[i][j], N, mem_row_major);
}
