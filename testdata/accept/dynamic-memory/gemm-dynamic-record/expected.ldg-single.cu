// Both tiles are members of one record in dynamic shared memory, whose type the template sizes.
#include <cuda_runtime.h>

template <typename T, int BM, int BN, int BK>
struct Smem {
  T A[BK][BM];
  T B[BK][BN];
};

// pipelinify: launch gemm_dyn<float, 64, 64, 16, 4, 4>
//   sizes  M=1,64,70 N=33,64 K=0,1,15,16,17,48,80
//   target M=2048 N=2048 K=2048
//   grid   (N + 63) / 64, (M + 63) / 64
//   block  256
//   smem   2 * 64 * 16 * 4
//   M:     M
//   N:     N
//   K:     K
//   A:     in  [M * (K + 1)] random
//   lda:   K + 1
//   B:     in  [K * N] random
//   ldb:   N
//   C:     out [M * N]
//   ldc:   N
//   work   flops 2 * M * N * K
template <typename T, int BM, int BN, int BK, int TM, int TN>
__global__ void gemm_dyn(int M, int N, int K, const T* __restrict__ A, int lda,
                         const T* __restrict__ B, int ldb, T* __restrict__ C, int ldc) {
  extern __shared__ __align__(16) unsigned char raw[];
  Smem<T, BM, BN, BK>& s = *reinterpret_cast<Smem<T, BM, BN, BK>*>(raw);
  constexpr int NT = (BM / TM) * (BN / TN);
  const int tid = threadIdx.x;
  const int tr = tid / (BN / TN) * TM, tc = tid % (BN / TN) * TN;
  T acc[TM][TN] = {};
  const T* Ab = A + (long long)blockIdx.y * BM * lda;
  const T* Bb = B + blockIdx.x * BN;
  int k = 0;
  // pipelinify: ldg-single, 1 stage, source d181bf8d
  static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
  if (k < K) {
    for (int i = tid; i < BM * BK; i += NT) {
      const int m = i / BK, kk = i % BK;
      s.A[kk][m] =
          (blockIdx.y * BM + m < M && k + kk < K) ? Ab[(long long)m * lda + k + kk] : T(0);
    }
    for (int i = tid; i < BK * BN; i += NT) {
      const int kk = i / BN, n = i % BN;
      s.B[kk][n] =
          (blockIdx.x * BN + n < N && k + kk < K) ? Bb[(long long)(k + kk) * ldb + n] : T(0);
    }
    k += BK;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (k < K) {
      T A_next[(BM * BK + NT - 1) / NT];
      T B_next[(BK * BN + NT - 1) / NT];
      #pragma unroll
      for (int slot = 0; slot < (BM * BK + NT - 1) / NT; ++slot) {
        int i = tid + slot * NT;
        if (i < BM * BK) {
          const int m = i / BK, kk = i % BK;
          A_next[slot] = (blockIdx.y * BM + m < M && k + kk < K) ? Ab[(long long)m * lda + k + kk] : T(0);
        }
      }
      #pragma unroll
      for (int slot = 0; slot < (BK * BN + NT - 1) / NT; ++slot) {
        int i = tid + slot * NT;
        if (i < BK * BN) {
          const int kk = i / BN, n = i % BN;
          B_next[slot] = (blockIdx.x * BN + n < N && k + kk < K) ? Bb[(long long)(k + kk) * ldb + n] : T(0);
        }
      }
      for (int kk = 0; kk < BK; ++kk)
        for (int i = 0; i < TM; ++i)
          for (int j = 0; j < TN; ++j) acc[i][j] += s.A[kk][tr + i] * s.B[kk][tc + j];
      __syncthreads();
      #pragma unroll
      for (int slot = 0; slot < (BM * BK + NT - 1) / NT; ++slot) {
        int i = tid + slot * NT;
        if (i < BM * BK) {
          const int m = i / BK, kk = i % BK;
          s.A[kk][m] = A_next[slot];
        }
      }
      #pragma unroll
      for (int slot = 0; slot < (BK * BN + NT - 1) / NT; ++slot) {
        int i = tid + slot * NT;
        if (i < BK * BN) {
          const int kk = i / BN, n = i % BN;
          s.B[kk][n] = B_next[slot];
        }
      }
      k += BK;
      __syncthreads();
    }
    for (int kk = 0; kk < BK; ++kk)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += s.A[kk][tr + i] * s.B[kk][tc + j];
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int r = blockIdx.y * BM + tr + i, c = blockIdx.x * BN + tc + j;
      if (r < M && c < N) C[(long long)r * ldc + c] = acc[i][j];
    }
}
void launch(int M, int N, int K, const float* A, const float* B, float* C, cudaStream_t st) {
  dim3 g((N + 63) / 64, (M + 63) / 64);
  gemm_dyn<float, 64, 64, 16, 4, 4><<<g, 256, sizeof(Smem<float, 64, 64, 16>), st>>>(M, N, K, A, K, B, N, C, N);
}
