// Scores inside a window of keys: tiles left of it are passed over, the first one right of it ends the walk.
#include <cuda_runtime.h>
#include <cstddef>

namespace window {

template <int BQ, int BKEY>
__global__ void scores(const float *__restrict__ q, const float *__restrict__ k,
                       float *__restrict__ best, size_t *__restrict__ stopped,
                       size_t keys, size_t left, size_t right, size_t d)
{
  __shared__ float kt_stage[2][BKEY][33];
  const size_t query = blockIdx.x * (size_t)BQ + threadIdx.y;
  const size_t first = blockIdx.x * (size_t)BQ;
  const size_t lo = first > left ? first - left : 0;
  const size_t hi = first + BQ + right;
  float mine = q[query * d + threadIdx.x], top = -1e30f;
  size_t tile = 0;

  // pipelinify: ldg, 2 stages, source 5ba241b0
  bool more = false;
  for (;; ++tile)
  {
    const size_t k0 = tile * BKEY;
    if (k0 >= keys || k0 >= hi)
      break;
    if (k0 + BKEY <= lo)
      continue;
    more = true;
    break;
  }
  size_t tile_tile = tile;
  if (more)
  {
    int stage = 0;
    auto compute_tile = [&]()
    {
      auto &tile = tile_tile;
      const size_t k0 = tile * BKEY;
      for (int j = 0; j < BKEY; ++j) {
        const size_t key = k0 + j;
        if (key < keys && key + left >= query && key <= query + right)
          top = fmaxf(top, mine * kt_stage[stage][j][threadIdx.x]);
      }
    };
    {
      const size_t k0 = tile * BKEY;
      for (int r = threadIdx.y; r < BKEY; r += BQ)
        kt_stage[0][r][threadIdx.x] = k0 + r < keys ? k[(k0 + r) * d + threadIdx.x] : 0.f;
    }
    ++tile;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (true)
    {
      more = false;
      for (;; ++tile)
      {
        const size_t k0 = tile * BKEY;
        if (k0 >= keys || k0 >= hi)
          break;
        if (k0 + BKEY <= lo)
          continue;
        more = true;
        break;
      }
      if (!more)
        break;
      size_t tile_next = tile;
      float kt_next[(BKEY + BQ - 1) / BQ];
      const size_t k0 = tile * BKEY;
      #pragma unroll
      for (int slot = 0; slot < (BKEY + BQ - 1) / BQ; ++slot)
      {
        int r = threadIdx.y + slot * BQ;
        if (r < BKEY)
          kt_next[slot] = k0 + r < keys ? k[(k0 + r) * d + threadIdx.x] : 0.f;
      }
      compute_tile();
      tile_tile = tile_next;
      stage ^= 1;
      #pragma unroll
      for (int slot = 0; slot < (BKEY + BQ - 1) / BQ; ++slot)
      {
        int r = threadIdx.y + slot * BQ;
        if (r < BKEY)
          kt_stage[stage][r][threadIdx.x] = kt_next[slot];
      }
      __syncthreads();
      ++tile;
    }
    compute_tile();
  }

  best[query * 32 + threadIdx.x] = top;
  stopped[query * 32 + threadIdx.x] = tile;
}

}

// pipelinify: launch window::scores<8, 16>
//   sizes  blocks=1,5 keys=1,16,17,40,100 left=0,20 right=0,9,90
//   target blocks=4096 keys=32768 left=512 right=512
//   let    d = 32
//   grid   blocks
//   block  32, 8
//   q:       in  [blocks * 8 * d]
//   k:       in  [keys * d]
//   best:    out [blocks * 8 * 32]
//   stopped: out [blocks * 8 * 32]
//   keys:    keys
//   left:    left
//   right:   right
//   d:       d
void run(const float *q, const float *k, float *best, size_t *stopped, size_t blocks, size_t keys,
         size_t left, size_t right)
{
  window::scores<8, 16><<<blocks, dim3(32, 8)>>>(q, k, best, stopped, keys, left, right, 32);
}
