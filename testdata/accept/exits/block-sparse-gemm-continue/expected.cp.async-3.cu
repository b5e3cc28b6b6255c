// Dense times block-sparse weights: a byte for each 32x32 block says whether it is stored; blocks without are passed over.
#include <cuda_runtime.h>
#include <cstdint>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float4 xs_stage[stages][16][BK / 4];
  __shared__ float4 ws_stage[stages][BK][BN / 4];
  const int c = threadIdx.x, r = threadIdx.y;
  const int row = blockIdx.y * 16 + r;
  const int K = kt * BK, N = nt * BN;
  const uint8_t *mine = stored + blockIdx.x * kt;
  float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);

  // pipelinify: cp.async, 3 stages, source bd6eced0
  int t = 0, t_load = t, stage = 0;
  bool more = true;
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage) {
    auto &t = t_load;
    if (more) {
      more = false;
      for (; t < kt; ++t) {
        if (!mine[t]) continue;  // the whole block is zero
        more = true;
        break;
      }
    }
    if (more) {
      if (row < m) {
        __pipeline_memcpy_async(&xs_stage[load_stage][r][c],
                                reinterpret_cast<const float4 *>(&x[row * K + t * BK + c * 4]), sizeof(float4));
      } else {
        xs_stage[load_stage][r][c] = make_float4(0.f, 0.f, 0.f, 0.f);
      }
      for (int i = r; i < BK; i += 16)
        __pipeline_memcpy_async(&ws_stage[load_stage][i][c],
                                reinterpret_cast<const float4 *>(&w[(t * BK + i) * N + blockIdx.x * BN + c * 4]),
                                sizeof(float4));
      ++t;
    }
    __pipeline_commit();
  }
  // Main loop: stages - 1 tiles are in flight while computing on one.
#pragma unroll 1
  for (; t < kt; ++t) {
    if (!mine[t]) continue;  // the whole block is zero
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    {
      auto &t = t_load;
      if (more) {
        more = false;
        for (; t < kt; ++t) {
          if (!mine[t]) continue;  // the whole block is zero
          more = true;
          break;
        }
      }
      if (more) {
        int load_stage = stage == 0 ? stages - 1 : stage - 1;
        if (row < m) {
          __pipeline_memcpy_async(&xs_stage[load_stage][r][c],
                                  reinterpret_cast<const float4 *>(&x[row * K + t * BK + c * 4]), sizeof(float4));
        } else {
          xs_stage[load_stage][r][c] = make_float4(0.f, 0.f, 0.f, 0.f);
        }
        for (int i = r; i < BK; i += 16)
          __pipeline_memcpy_async(&ws_stage[load_stage][i][c],
                                  reinterpret_cast<const float4 *>(&w[(t * BK + i) * N + blockIdx.x * BN + c * 4]),
                                  sizeof(float4));
        ++t;
      }
    }
    __pipeline_commit();
    for (int k = 0; k < BK; ++k) {
      const float a = reinterpret_cast<const float *>(xs_stage[stage][r])[k];
      const float4 b = ws_stage[stage][k][c];
      acc.x += a * b.x;
      acc.y += a * b.y;
      acc.z += a * b.z;
      acc.w += a * b.w;
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  if (row < m) *reinterpret_cast<float4 *>(&y[row * N + blockIdx.x * BN + c * 4]) = acc;
}
