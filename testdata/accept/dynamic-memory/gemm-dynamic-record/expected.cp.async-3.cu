// Both tiles are members of one record in dynamic shared memory, whose type the template sizes.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  // 3 stages of 8192 bytes, and 1 byte more: a launch that gives another number is trapped
  unsigned raw_given;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(raw_given));
  if (raw_given != 3 * 8192 + 1)
    __trap();
  auto &raw_stage = reinterpret_cast<unsigned char (&)[3][8192]>(raw);
  constexpr int NT = (BM / TM) * (BN / TN);
  const int tid = threadIdx.x;
  const int tr = tid / (BN / TN) * TM, tc = tid % (BN / TN) * TN;
  T acc[TM][TN] = {};
  const T* Ab = A + (long long)blockIdx.y * BM * lda;
  const T* Bb = B + blockIdx.x * BN;
  int k = 0;
  // pipelinify: cp.async, 3 stages, source d181bf8d
  static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
  static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                alignof(T) == sizeof(T),
                "asynchronous copies move 4, 8 or 16 aligned bytes");
  int k_load = k, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k_load < K) {
      auto &raw = raw_stage[load_stage];
      Smem<T, BM, BN, BK>& s = *reinterpret_cast<Smem<T, BM, BN, BK>*>(raw);
      auto &k = k_load;
      for (int i = tid; i < BM * BK; i += NT) {
        const int m = i / BK, kk = i % BK;
        if (blockIdx.y * BM + m < M && k + kk < K) {
          __pipeline_memcpy_async(&s.A[kk][m], &Ab[(long long)m * lda + k + kk], sizeof(T));
        } else {
          s.A[kk][m] = T(0);
        }
      }
      for (int i = tid; i < BK * BN; i += NT) {
        const int kk = i / BN, n = i % BN;
        if (blockIdx.x * BN + n < N && k + kk < K) {
          __pipeline_memcpy_async(&s.B[kk][n], &Bb[(long long)(k + kk) * ldb + n], sizeof(T));
        } else {
          s.B[kk][n] = T(0);
        }
      }
      k += BK;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < 2; ++load_stage)
    copy_tile(load_stage);
  // Main loop: 2 tiles are in flight while computing on one.
  while (k < K) {
    __pipeline_wait_prior(1);
    __syncthreads();
    copy_tile(stage == 0 ? 2 : stage - 1);
    auto &raw = raw_stage[stage];
    Smem<T, BM, BN, BK>& s = *reinterpret_cast<Smem<T, BM, BN, BK>*>(raw);
    for (int kk = 0; kk < BK; ++kk)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += s.A[kk][tr + i] * s.B[kk][tc + j];
    k += BK;
    stage = stage == 2 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int r = blockIdx.y * BM + tr + i, c = blockIdx.x * BN + tc + j;
      if (r < M && c < N) C[(long long)r * ldc + c] = acc[i][j];
    }
}
void launch(int M, int N, int K, const float* A, const float* B, float* C, cudaStream_t st) {
  dim3 g((N + 63) / 64, (M + 63) / 64);
  gemm_dyn<float, 64, 64, 16, 4, 4><<<g, 256, sizeof(Smem<float, 64, 64, 16>) + 2 * 8192 + 1, st>>>(M, N, K, A, K, B, N, C, N);
}
