// Matrix-vector product with int8 weights: the scale of each column group is fetched with the tile and kept in a register for the compute part.
#include <cstdint>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace quant {

constexpr int kGroup = 128;       // columns that share a scale
constexpr int kRowsPerBlock = 4;  // one warp each

// pipelinify: launch quant::dequant_gemv
//   sizes  rows=4 groups=0,1,2,3,4,5,9
//   sizes  rows=1,10 groups=3
//   target rows=16384 groups=64
//   grid   (rows + 3) / 4
//   block  128
//   weights: in [rows * groups * 32] random
//   scales:  in [rows * groups] range(0.01, 0.1)
//   x:       in [groups * 32] random
//   y:       out [rows]
//   rows:    rows
//   groups:  groups
//   work     bytes rows * groups * 132
__global__ __launch_bounds__(128) void dequant_gemv(const char4* __restrict__ weights,
                                                    const float* __restrict__ scales,
                                                    const float4* __restrict__ x,
                                                    float* __restrict__ y,
                                                    int rows, int groups) {
  constexpr int stages = 3;
  __shared__ float4 x_tile_stage[stages][kGroup / 4];
  __shared__ char4 w_tile_stage[stages][kRowsPerBlock][kGroup / 4];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.x * kRowsPerBlock + warp;
  const int safe_row = min(row, rows - 1);

  float acc = 0.0f;
  // pipelinify: cp.async, 3 stages, source 50c67089
  int g_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (g_load < groups) {
      if (warp == 0)
        __pipeline_memcpy_async(&x_tile_stage[load_stage][lane], &x[g_load * (kGroup / 4) + lane], sizeof(float4));
      __pipeline_memcpy_async(&w_tile_stage[load_stage][warp][lane], &weights[(safe_row * groups + g_load) * (kGroup / 4) + lane],
                              sizeof(char4));
      ++g_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int g = 0; g < groups; ++g) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    const float scale = scales[safe_row * groups + g];

    const int other = lane ^ 1;
    const float4 xv = x_tile_stage[stage][other];
    const char4 wv = w_tile_stage[stage][warp][other];
    float part = xv.x * static_cast<float>(wv.x);
    part += xv.y * static_cast<float>(wv.y);
    part += xv.z * static_cast<float>(wv.z);
    part += xv.w * static_cast<float>(wv.w);
    acc += scale * part;
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  for (int mask = 16; mask >= 1; mask /= 2) acc += __shfl_xor_sync(0xFFFFFFFF, acc, mask);
  if (lane == 0 && row < rows) y[row] = acc;
}

}  // namespace quant
