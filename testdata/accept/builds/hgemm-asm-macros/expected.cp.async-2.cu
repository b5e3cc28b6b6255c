// A 16x8 tile of C for a warp: fragments by ldmatrix, products by mma, each an
// instruction that a macro makes.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_pipeline.h>

#define LDMATRIX_X4(R0, R1, R2, R3, addr)                                      \
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
               : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                        \
               : "r"(addr))
#define LDMATRIX_X2_T(R0, R1, addr)                                              \
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n"      \
               : "=r"(R0), "=r"(R1)                                            \
               : "r"(addr))
#define HMMA16816(RD0, RD1, RA0, RA1, RA2, RA3, RB0, RB1, RC0, RC1)            \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, "  \
               "{%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n"                       \
               : "=r"(RD0), "=r"(RD1)                                          \
               : "r"(RA0), "r"(RA1), "r"(RA2), "r"(RA3), "r"(RB0), "r"(RB1),   \
                 "r"(RC0), "r"(RC1))
#define LDST128BITS(value) (reinterpret_cast<float4 *>(&(value))[0])
#define LDST32BITS(value) (reinterpret_cast<half2 *>(&(value))[0])

// pipelinify: launch hgemm_m16n8k16
//   sizes    M=16,32 N=8,24 K=0,16,32,48,64,144
//   target   M=512 N=1024 K=2048
//   grid     N / 8, M / 16
//   block    32
//   A:       in    [M * K]  random
//   B:       in    [K * N]  random
//   C:       out   [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void hgemm_m16n8k16(const half *__restrict__ A,
                               const half *__restrict__ B,
                               half *__restrict__ C, int M, int N, int K) {
  constexpr int BM = 16, BN = 8, BK = 16;
  const int bx = blockIdx.x, by = blockIdx.y;
  const int num_k = K / BK;
  __shared__ __align__(16) half s_a_stage[2][BM][BK];
  __shared__ __align__(16) half s_b_stage[2][BK][BN];
  const int lane_id = threadIdx.x % 32;
  const int load_a_m = lane_id / 2, load_a_k = (lane_id % 2) * 8;
  const int load_b_k = lane_id;
  const int gm = by * BM + load_a_m;
  uint32_t RC[2] = {0, 0};
  // pipelinify: cp.async, 2 stages, source b74a7273
  int k_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k_load < num_k) {
      __pipeline_memcpy_async(&LDST128BITS(s_a_stage[load_stage][load_a_m][load_a_k]),
                              reinterpret_cast<const float4 *>(&A[gm * K + k_load * BK + load_a_k]), sizeof(float4));
      if (lane_id < 16)
        __pipeline_memcpy_async(&LDST128BITS(s_b_stage[load_stage][load_b_k][0]),
                                reinterpret_cast<const float4 *>(&B[(k_load * BK + load_b_k) * N + bx * BN]),
                                sizeof(float4));
      ++k_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int k = 0; k < num_k; ++k) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    uint32_t RA[4], RB[2];
    uint32_t pa = __cvta_generic_to_shared(&s_a_stage[stage][lane_id % 16][(lane_id / 16) * 8]);
    LDMATRIX_X4(RA[0], RA[1], RA[2], RA[3], pa);
    uint32_t pb = __cvta_generic_to_shared(&s_b_stage[stage][lane_id % 16][0]);
    LDMATRIX_X2_T(RB[0], RB[1], pb);
    HMMA16816(RC[0], RC[1], RA[0], RA[1], RA[2], RA[3], RB[0], RB[1], RC[0], RC[1]);
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  LDST32BITS(C[(by * BM + lane_id / 4) * N + bx * BN + (lane_id % 4) * 2]) = *reinterpret_cast<half2 *>(&RC[0]);
}
