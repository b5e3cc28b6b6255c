// Half GEMM on fragments; tiles carry no __align__ and are filled 16 bytes at a time.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
#define WM 16
#define BM 64
#define BN 64
#define BK 16
#define LDG128(p) (*reinterpret_cast<const int4 *>(p))
// pipelinify: launch hgemm_wmma
//   sizes M=64 N=64,128 K=0,16,32,48,80
//   target M=2048 N=2048 K=2048
//   grid N/64, M/64
//   block 128
//   A: in [M*K]
//   B: in [K*N]
//   C: out [M*N]
//   M: M
//   N: N
//   K: K
__global__ void hgemm_wmma(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  __shared__ half s_a[BM][BK + 8];
  __shared__ half s_b[BK][BN + 8];
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc[4];
  for (int i = 0; i < 4; ++i) wmma::fill_fragment(fc[i], 0.0f);
  int la_r = threadIdx.x / 2, la_c = (threadIdx.x % 2) * 8;
  int lb_r = threadIdx.x / 8, lb_c = (threadIdx.x % 8) * 8;
  // pipelinify: ldg-single, 1 stage, source 198f8937
  int k = 0;
  if (k < K) {
    auto compute_tile = [&]() {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
      wmma::load_matrix_sync(fa, &s_a[warp * 16][0], BK + 8);
#pragma unroll
      for (int j = 0; j < 4; j++) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fb, &s_b[0][j * 16], BN + 8);
        wmma::mma_sync(fc[j], fa, fb, fc[j]);
      }
    };
    *reinterpret_cast<int4 *>(&s_a[la_r][la_c]) = LDG128(&A[(blockIdx.y * BM + la_r) * K + k + la_c]);
    *reinterpret_cast<int4 *>(&s_b[lb_r][lb_c]) = LDG128(&B[(k + lb_r) * N + blockIdx.x * BN + lb_c]);
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k += BK; k < K; k += BK) {
      int4 s_a_next = LDG128(&A[(blockIdx.y * BM + la_r) * K + k + la_c]);
      int4 s_b_next = LDG128(&B[(k + lb_r) * N + blockIdx.x * BN + lb_c]);
      compute_tile();
      __syncthreads();
      *reinterpret_cast<int4 *>(&s_a[la_r][la_c]) = s_a_next;
      *reinterpret_cast<int4 *>(&s_b[lb_r][lb_c]) = s_b_next;
      __syncthreads();
    }
    compute_tile();
  }
  for (int j = 0; j < 4; j++)
    wmma::store_matrix_sync(&C[(blockIdx.y * BM + warp * 16) * N + blockIdx.x * BN + j * 16], fc[j], N, wmma::mem_row_major);
}
