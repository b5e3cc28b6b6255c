// Matrix-vector product with int8 weights: the scale of each column group is fetched with the tile and kept in a register for the compute part.
#include <cstdint>
#include <cuda_runtime.h>

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
  __shared__ float4 x_tile[kGroup / 4];
  __shared__ char4 w_tile[kRowsPerBlock][kGroup / 4];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.x * kRowsPerBlock + warp;
  const int safe_row = min(row, rows - 1);

  float acc = 0.0f;
  // pipelinify: ldg-single, 1 stage, source 50c67089
  int g = 0, g_tile = g;
  if (g < groups) {
    auto compute_tile = [&]() {
      const float scale = scales[safe_row * groups + g_tile];

      const int other = lane ^ 1;
      const float4 xv = x_tile[other];
      const char4 wv = w_tile[warp][other];
      float part = xv.x * static_cast<float>(wv.x);
      part += xv.y * static_cast<float>(wv.y);
      part += xv.z * static_cast<float>(wv.z);
      part += xv.w * static_cast<float>(wv.w);
      acc += scale * part;
    };
    if (warp == 0) x_tile[lane] = x[g * (kGroup / 4) + lane];
    w_tile[warp][lane] = weights[(safe_row * groups + g) * (kGroup / 4) + lane];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++g; g < groups; ++g) {
      float4 x_tile_next;
      if (warp == 0)
        x_tile_next = x[g * (kGroup / 4) + lane];
      char4 w_tile_next = weights[(safe_row * groups + g) * (kGroup / 4) + lane];
      compute_tile();
      ++g_tile;
      __syncthreads();
      if (warp == 0)
        x_tile[lane] = x_tile_next;
      w_tile[warp][lane] = w_tile_next;
      __syncthreads();
    }
    compute_tile();
  }

  for (int mask = 16; mask >= 1; mask /= 2) acc += __shfl_xor_sync(0xFFFFFFFF, acc, mask);
  if (lane == 0 && row < rows) y[row] = acc;
}

}  // namespace quant
