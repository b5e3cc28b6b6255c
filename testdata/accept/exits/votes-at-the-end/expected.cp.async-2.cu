// Asks the block after every tile whether anybody still has work, as the last thing of the loop:
// the vote waits for compute there as it does at the head of the next tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch until_all_found<128>
//   sizes    tiles=0,1,2,3,7
//   target   tiles=1024
//   grid     3
//   block    128
//   hay:     in  [tiles * 128 + 1] below(200)
//   pin:     in  [3 * 128] below(200)
//   at:      out [3 * 128]
//   tiles:   tiles
template <int TILE>
__global__ void until_all_found(const unsigned *__restrict__ hay, const unsigned *__restrict__ pin,
                                int *__restrict__ at, int tiles)
{
  __shared__ unsigned h_stage[2][TILE];
  const int t = threadIdx.x;
  const unsigned key = pin[blockIdx.x * TILE + t];
  int found = -1;
  bool voted = false;
  // pipelinify: cp.async, 2 stages, source 565ad41c
  int k = 0, k_tile = k, stage = 0;
  if (k < tiles) {
      bool voted2 = __syncthreads_and(found >= 0) && voted;
      if (!voted2) {
          __pipeline_memcpy_async(&h_stage[0][t], &hay[k * TILE + t], sizeof(unsigned int));
          __pipeline_commit();
          __pipeline_wait_prior(0);
          __syncthreads();
          // Main loop: copy the next tile while computing on this one.
          for (++k; k < tiles; ++k) {
              __pipeline_memcpy_async(&h_stage[stage ^ 1][t], &hay[k * TILE + t],
                                      sizeof(unsigned int));
              __pipeline_commit();
              for (int j = 0; j < TILE; ++j)
                if (found < 0 && h_stage[stage][j] == key) found = k_tile * TILE + j;
              voted = true;
              ++k_tile;
              stage ^= 1;
              __pipeline_wait_prior(0);
              voted2 = __syncthreads_and(found >= 0) && voted;
              if (voted2)
                  break;
          }
          if (!voted2) {
              for (int j = 0; j < TILE; ++j)
                if (found < 0 && h_stage[stage][j] == key) found = k_tile * TILE + j;
              voted = true;
          }
      }
  }
  __syncthreads();
  at[blockIdx.x * TILE + t] = found;
}

template __global__ void until_all_found<128>(const unsigned *, const unsigned *, int *, int);

// How far each light reaches: the block goes on while any of its points is not lit.
// pipelinify: launch lit
//   sizes    n=0,1,63,64,65,200,400
//   target   n=65536
//   grid     2
//   block    64
//   lights:  in  [n + 1] random
//   reach:   inout [2 * 64] random
//   first:   out [2]
//   n:       n
__global__ void lit(const float *__restrict__ lights, float *__restrict__ reach,
                    float *__restrict__ first, int n)
{
  __shared__ float tile_stage[2][64], sums[64];
  float sum = 0.f;
  int at = 0;
  bool voted = false;
  // pipelinify: cp.async, 2 stages, source 06ba2a81
  if (at < n) {
      bool voted2 = (!__syncthreads_or(sum < 4.f)) && voted;
      if (!voted2) {
          int stage = 0;
          __pipeline_memcpy_async(&tile_stage[0][threadIdx.x], &lights[at + threadIdx.x],
                                  sizeof(float), (at + threadIdx.x < n) ? 0 : sizeof(float));
          at += 64;
          __pipeline_commit();
          __pipeline_wait_prior(0);
          __syncthreads();
          // Main loop: copy the next tile while computing on this one.
          while (at < n) {
              __pipeline_memcpy_async(&tile_stage[stage ^ 1][threadIdx.x],
                                      &lights[at + threadIdx.x], sizeof(float),
                                      (at + threadIdx.x < n) ? 0 : sizeof(float));
              at += 64;
              __pipeline_commit();
              for (int j = 0; j < 64; ++j)
                sum = 0.875f * sum +
                      fabsf(tile_stage[stage][j] - reach[blockIdx.x * 64 + threadIdx.x]);
              voted = true;
              stage ^= 1;
              __pipeline_wait_prior(0);
              voted2 = (!__syncthreads_or(sum < 4.f)) && voted;
              if (voted2)
                  break;
          }
          if (!voted2) {
              for (int j = 0; j < 64; ++j)
                sum = 0.875f * sum +
                      fabsf(tile_stage[stage][j] - reach[blockIdx.x * 64 + threadIdx.x]);
              voted = true;
          }
      }
  }
  __syncthreads();
  sums[threadIdx.x] = sum;
  __syncthreads();
  reach[blockIdx.x * 64 + threadIdx.x] = sums[63 - threadIdx.x];
  if (threadIdx.x == 0)
    first[blockIdx.x] = sums[7];
}

// The number of those that are done has a name.
// pipelinify: launch counted
//   sizes    n=0,1,63,64,65,200,400
//   target   n=65536
//   grid     2
//   block    64
//   hay:     in  [n + 1] below(100)
//   pin:     in  [2 * 64] below(100)
//   at:      out [2 * 64]
//   n:       n
__global__ void counted(const unsigned *__restrict__ hay, const unsigned *__restrict__ pin,
                        int *__restrict__ at, int n)
{
  __shared__ unsigned h_stage[2][64];
  const unsigned key = pin[blockIdx.x * 64 + threadIdx.x];
  int found = -1;
  bool voted = false;
  // pipelinify: cp.async, 2 stages, source e90050b8
  int b = 0, b_tile = b, stage = 0;
  if (b < n) {
      const int done = __syncthreads_count(found >= 0);
      bool voted2 = (done == blockDim.x) && voted;
      if (!voted2) {
          if (b + threadIdx.x < n) {
              __pipeline_memcpy_async(&h_stage[0][threadIdx.x], &hay[b + threadIdx.x],
                                      sizeof(unsigned int));
          } else {
              h_stage[0][threadIdx.x] = ~0u;
          }
          __pipeline_commit();
          __pipeline_wait_prior(0);
          __syncthreads();
          // Main loop: copy the next tile while computing on this one.
          for (b += 64; b < n; b += 64) {
              if (b + threadIdx.x < n) {
                  __pipeline_memcpy_async(&h_stage[stage ^ 1][threadIdx.x], &hay[b + threadIdx.x],
                                          sizeof(unsigned int));
              } else {
                  h_stage[stage ^ 1][threadIdx.x] = ~0u;
              }
              __pipeline_commit();
              for (int j = 0; j < 64; ++j)
                if (found < 0 && h_stage[stage][j] == key) found = b_tile + j;
              voted = true;
              b_tile += 64;
              stage ^= 1;
              __pipeline_wait_prior(0);
              const int done = __syncthreads_count(found >= 0);
              voted2 = (done == blockDim.x) && voted;
              if (voted2)
                  break;
          }
          if (!voted2) {
              for (int j = 0; j < 64; ++j)
                if (found < 0 && h_stage[stage][j] == key) found = b_tile + j;
              voted = true;
          }
      }
  }
  __syncthreads();
  at[blockIdx.x * 64 + threadIdx.x] = found;
}
