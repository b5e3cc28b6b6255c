// Shortest two-hop distances: a matrix product in the (min, +) semiring, absent edges are +infinity.
#include <math_constants.h>

#ifndef TILE_W
#define TILE_W 16
#endif

// pipelinify: launch min_plus
//   sizes    n=16 m=16 k=0,1,15,16,17,32,48,65,80
//   sizes    n=33 m=20 k=5,50
//   target   n=2048 m=2048 k=2048
//   requires n > 0 && m > 0
//   grid     (m + 15) / 16, (n + 15) / 16, 1
//   block    16, 16, 1
//   d1:      in  [n * k]  range(0, 100)
//   d2:      in  [k * m]  range(0, 100)
//   out:     out [n * m]
//   n:       n
//   m:       m
//   k:       k
//   work     flops 2 * n * m * k
__global__ void min_plus(const float* d1, const float* d2, float* out, int n, int m, int k)
{
  __shared__ float left_stage[2][TILE_W][TILE_W + 1];
  __shared__ float right_stage[2][TILE_W][TILE_W + 1];

  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float best = CUDART_INF_F;

  // pipelinify: ldg, 2 stages, source 5eed4379
  int p = 0, stage = 0;
  if (p < (k + TILE_W - 1) / TILE_W) {
    left_stage[0][threadIdx.y][threadIdx.x] = CUDART_INF_F;
    right_stage[0][threadIdx.y][threadIdx.x] = CUDART_INF_F;
    if (i < n) {
      if (p * TILE_W + threadIdx.x < k) {
        left_stage[0][threadIdx.y][threadIdx.x] = d1[i * k + p * TILE_W + threadIdx.x];
      }
    }
    if (p * TILE_W + threadIdx.y < k) {
      if (j < m) {
        right_stage[0][threadIdx.y][threadIdx.x] = d2[(p * TILE_W + threadIdx.y) * m + j];
      }
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (p++; p < (k + TILE_W - 1) / TILE_W; p++) {
      float left_next;
      float right_next;
      if (i < n) {
        if (p * TILE_W + threadIdx.x < k) {
          left_next = d1[i * k + p * TILE_W + threadIdx.x];
        }
      }
      if (p * TILE_W + threadIdx.y < k) {
        if (j < m) {
          right_next = d2[(p * TILE_W + threadIdx.y) * m + j];
        }
      }

      for (int q = 0; q < TILE_W; q++) {
        best = fminf(best, left_stage[stage][threadIdx.y][q] + right_stage[stage][q][threadIdx.x]);
      }
      stage ^= 1;
      left_stage[stage][threadIdx.y][threadIdx.x] = CUDART_INF_F;
      right_stage[stage][threadIdx.y][threadIdx.x] = CUDART_INF_F;
      if (i < n) {
        if (p * TILE_W + threadIdx.x < k) {
          left_stage[stage][threadIdx.y][threadIdx.x] = left_next;
        }
      }
      if (p * TILE_W + threadIdx.y < k) {
        if (j < m) {
          right_stage[stage][threadIdx.y][threadIdx.x] = right_next;
        }
      }
      __syncthreads();
    }
    for (int q = 0; q < TILE_W; q++) {
      best = fminf(best, left_stage[stage][threadIdx.y][q] + right_stage[stage][q][threadIdx.x]);
    }
  }

  if (i < n && j < m) out[i * m + j] = best;
}
