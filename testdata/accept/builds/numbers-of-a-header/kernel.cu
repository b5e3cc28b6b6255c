// Sums of products of columns, 64 by 64, and sums of weighted columns in two parts: how large
// the tiles are, a header says, whose numbers are one each in every build.
#include <cuda_runtime.h>

#include "tile_sizes.cuh"

// pipelinify: launch column_products
//   sizes    rows=0,1,15,16,17,32,47,64
//   sizes    rows=100
//   target   rows=65536
//   grid     1
//   block    128
//   x:       in  [(rows + 15) * 64]
//   out:     out [64 * 32]
//   rows:    rows
__global__ void __launch_bounds__(128)
    column_products(const float *__restrict__ x, float *__restrict__ out, int rows) {
  __shared__ float panel[DEPTH * PANEL];
  float acc[PANEL / 4] = {0.0f};
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  for (int first = 0; first < rows; first += DEPTH) {
    for (int i = threadIdx.x; i < DEPTH * PANEL; i += THREADS)
      panel[i] = first + i / PANEL < rows ? x[first * PANEL + i] : 0.0f;
    __syncthreads();
    for (int k = 0; k < DEPTH; ++k)
      for (int r = 0; r < PANEL / 4; ++r)
        acc[r] += panel[k * PANEL + lane] * panel[k * PANEL + 4 * r + warp];
    __syncthreads();
  }
  for (int r = 0; r < PANEL / 4; ++r)
    out[(4 * r + warp) * WARP + lane] = acc[r];
}

// pipelinify: launch weighted_parts
//   sizes    columns=0,1,2,3,5,8
//   target   columns=100000
//   grid     2
//   block    32
//   weights: in  [columns]
//   x:       in  [2 * columns * 64]
//   out:     out [64]
//   columns: columns
__global__ void weighted_parts(const float *__restrict__ weights, const float *__restrict__ x,
                               float *__restrict__ out, int columns) {
  __shared__ float part[WARP];
  float acc = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float w = weights[c];
    for (int p = 0; p < PARTS; ++p) {
      const unsigned at = p * WARP + threadIdx.x;
      part[at % WARP] = x[(blockIdx.x * columns + c) * PANEL + at];
      __syncthreads();
      for (int k = 0; k < WARP; ++k)
        acc += w * part[k] * (float)((k + threadIdx.x) % 3 + p);
      __syncthreads();
    }
  }
  out[blockIdx.x * WARP + threadIdx.x] = acc;
}
