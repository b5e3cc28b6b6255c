// Rows weighed and turned round, a block a row.
#include "tile.cuh"
#include "common.cuh"
// pipelinify: launch turn
//   sizes rows=1,8 cols=32,96
//   grid  rows
//   block 32
//   x:    in  [rows * cols]
//   y:    out [rows * cols]
//   cols: cols
__device__ int calls = 1;
extern "C" __device__ float helper(float x, int i) { return weigh(x, weights[i % 4]); }
__global__ void turn(const Pair<float> *x, Pair<float> *y, int cols) {
  __shared__ float row[ROW_TILE];
  const float *from = (const float *)x + blockIdx.x * cols;
  float *to = (float *)y + blockIdx.x * cols;
  for (int c = threadIdx.x; c < cols; c += ROW_TILE) {
    row[threadIdx.x] = helper(from[c], c) * calls;
    __syncthreads();
    to[c] = row[ROW_TILE - 1 - threadIdx.x];
    __syncthreads();
  }
}
