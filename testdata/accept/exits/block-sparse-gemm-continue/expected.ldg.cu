// Dense times block-sparse weights: a byte for each 32x32 block says whether it is stored; blocks without are passed over.
#include <cuda_runtime.h>
#include <cstdint>

constexpr int BK = 32, BN = 32;

// pipelinify: launch sparse_weights
//   sizes  kt=0,1,2,3,5,8 nt=1,3 m=16,40
//   sizes  kt=12 nt=6 m=16
//   target kt=128 nt=128 m=4096
//   let    K = kt * 32
//   let    N = nt * 32
//   grid   nt, (m + 15) / 16
//   block  8, 16
//   x:      in  [m * K]
//   w:      in  [K * N]
//   stored: in  [nt * kt] below(2)
//   y:      out [m * N]
//   m:      m
//   kt:     kt
//   nt:     nt
__global__ __launch_bounds__(128)
void sparse_weights(const float *__restrict__ x, const float *__restrict__ w,
                    const uint8_t *__restrict__ stored, float *__restrict__ y,
                    int m, int kt, int nt) {
  __shared__ float4 xs_stage[2][16][BK / 4];
  __shared__ float4 ws_stage[2][BK][BN / 4];
  const int c = threadIdx.x, r = threadIdx.y;
  const int row = blockIdx.y * 16 + r;
  const int K = kt * BK, N = nt * BN;
  const uint8_t *mine = stored + blockIdx.x * kt;
  float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);

  // pipelinify: ldg, 2 stages, source bd6eced0
  int t = 0, stage = 0;
  bool more = false;
  for (; t < kt; ++t) {
    if (!mine[t]) continue;  // the whole block is zero
    more = true;
    break;
  }
  if (more) {
    auto compute_tile = [&]() {
      for (int k = 0; k < BK; ++k) {
        const float a = reinterpret_cast<const float *>(xs_stage[stage][r])[k];
        const float4 b = ws_stage[stage][k][c];
        acc.x += a * b.x;
        acc.y += a * b.y;
        acc.z += a * b.z;
        acc.w += a * b.w;
      }
    };
    xs_stage[0][r][c] = row < m ? *reinterpret_cast<const float4 *>(&x[row * K + t * BK + c * 4])
                       : make_float4(0.f, 0.f, 0.f, 0.f);
    for (int i = r; i < BK; i += 16)
      ws_stage[0][i][c] = *reinterpret_cast<const float4 *>(&w[(t * BK + i) * N + blockIdx.x * BN + c * 4]);
    ++t;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
#pragma unroll 1
    while (true) {
      more = false;
      for (; t < kt; ++t) {
        if (!mine[t]) continue;  // the whole block is zero
        more = true;
        break;
      }
      if (!more)
        break;
      float4 ws_next[BK / 16];
      float4 xs_next = row < m ? *reinterpret_cast<const float4 *>(&x[row * K + t * BK + c * 4])
                               : make_float4(0.f, 0.f, 0.f, 0.f);
#pragma unroll
      for (int slot = 0; slot < BK / 16; ++slot) {
        int i = r + slot * 16;
        if (i < BK)
          ws_next[slot] = *reinterpret_cast<const float4 *>(&w[(t * BK + i) * N + blockIdx.x * BN + c * 4]);
      }
      compute_tile();
      stage ^= 1;
      xs_stage[stage][r][c] = xs_next;
#pragma unroll
      for (int slot = 0; slot < BK / 16; ++slot) {
        int i = r + slot * 16;
        if (i < BK)
          ws_stage[stage][i][c] = ws_next[slot];
      }
      __syncthreads();
      ++t;
    }
    compute_tile();
  }

  if (row < m) *reinterpret_cast<float4 *>(&y[row * N + blockIdx.x * BN + c * 4]) = acc;
}
