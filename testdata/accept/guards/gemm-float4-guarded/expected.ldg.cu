// SGEMM with float4 tiles for any M; N and K are multiples of four, so edges are guarded a vector at a time.
#include <cuda_runtime.h>

constexpr int BM = 32, BN = 32, BK = 16;

// pipelinify: launch sgemm_v4_edge
//   sizes    M=32 N=32 K=0,4,12,16,20,32,48,64,80
//   sizes    M=27 N=36 K=44
//   sizes    M=33 N=20 K=8
//   target   M=4095 N=4092 K=4100
//   requires M > 0 && N > 0
//   grid     (N + 31) / 32, (M + 31) / 32
//   block    128
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void __launch_bounds__(128)
sgemm_v4_edge(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
              int M, int N, int K) {
  // N and K are multiples of four, so a vector is either inside or outside
  __shared__ float4 As_stage[2][BM][BK / 4];
  __shared__ float4 Bs_stage[2][BK][BN / 4];

  const int tid = threadIdx.x;
  const int ar = tid / 4, ac = tid % 4;
  const int br = tid / 8, bc = tid % 8;
  const int m = blockIdx.y * BM + ar;
  const int n = blockIdx.x * BN + bc * 4;
  const int row = tid / 8 * 2, quad = tid % 8;
  const float4 none = make_float4(0.f, 0.f, 0.f, 0.f);
  float4 c0 = none, c1 = none;

  // pipelinify: ldg, 2 stages, source aac1319d
  int k0 = 0, stage = 0;
  if (k0 < K) {
    auto compute_tile = [&]() {
#pragma unroll
      for (int k4 = 0; k4 < BK / 4; ++k4) {
        const float4 x = As_stage[stage][row][k4], y = As_stage[stage][row + 1][k4];
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const float4 b = Bs_stage[stage][k4 * 4 + e][quad];
          const float p = e == 0 ? x.x : e == 1 ? x.y : e == 2 ? x.z : x.w;
          const float q = e == 0 ? y.x : e == 1 ? y.y : e == 2 ? y.z : y.w;
          c0.x += p * b.x; c0.y += p * b.y; c0.z += p * b.z; c0.w += p * b.w;
          c1.x += q * b.x; c1.y += q * b.y; c1.z += q * b.z; c1.w += q * b.w;
        }
      }
    };
    As_stage[0][ar][ac] = m < M && k0 + ac * 4 < K ? *reinterpret_cast<const float4*>(A + m * K + k0 + ac * 4) : none;
    Bs_stage[0][br][bc] = k0 + br < K && n < N ? *reinterpret_cast<const float4*>(B + (k0 + br) * N + n) : none;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += BK; k0 < K; k0 += BK) {
      float4 As_next = m < M && k0 + ac * 4 < K ? *reinterpret_cast<const float4*>(A + m * K + k0 + ac * 4) : none;
      float4 Bs_next = k0 + br < K && n < N ? *reinterpret_cast<const float4*>(B + (k0 + br) * N + n) : none;
      compute_tile();
      stage ^= 1;
      As_stage[stage][ar][ac] = As_next;
      Bs_stage[stage][br][bc] = Bs_next;
      __syncthreads();
    }
    compute_tile();
  }

  const int r = blockIdx.y * BM + row, c = blockIdx.x * BN + quad * 4;
  if (c < N) {
    if (r < M) *reinterpret_cast<float4*>(C + r * N + c) = c0;
    if (r + 1 < M) *reinterpret_cast<float4*>(C + (r + 1) * N + c) = c1;
  }
}
