// Asks the block after every tile whether anybody still has work, as the last thing of the loop:
// the vote waits for compute there as it does at the head of the next tile.
#include <cuda_runtime.h>

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
  __shared__ unsigned h[TILE];
  const int t = threadIdx.x;
  const unsigned key = pin[blockIdx.x * TILE + t];
  int found = -1;
  for (int k = 0; k < tiles; ++k) {
    h[t] = hay[k * TILE + t];
    __syncthreads();
    for (int j = 0; j < TILE; ++j)
      if (found < 0 && h[j] == key) found = k * TILE + j;
    if (__syncthreads_and(found >= 0)) break;
  }
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
  __shared__ float tile[64], sums[64];
  float sum = 0.f;
  int at = 0;
  while (at < n) {
    tile[threadIdx.x] = at + threadIdx.x < n ? lights[at + threadIdx.x] : 0.f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = 0.875f * sum + fabsf(tile[j] - reach[blockIdx.x * 64 + threadIdx.x]);
    at += 64;
    if (!__syncthreads_or(sum < 4.f))
      break;
  }
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
  __shared__ unsigned h[64];
  const unsigned key = pin[blockIdx.x * 64 + threadIdx.x];
  int found = -1;
  for (int b = 0; b < n; b += 64) {
    h[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : ~0u;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      if (found < 0 && h[j] == key) found = b + j;
    const int done = __syncthreads_count(found >= 0);
    if (done == blockDim.x) break;
  }
  at[blockIdx.x * 64 + threadIdx.x] = found;
}
