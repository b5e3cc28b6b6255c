// Scores inside a window of keys: tiles left of it are passed over, the first one right of it ends the walk.
#include <cuda_runtime.h>
#include <cstddef>
#include <cuda_pipeline.h>

namespace window {

template <int BQ, int BKEY>
__global__ void scores(const float *__restrict__ q, const float *__restrict__ k,
                       float *__restrict__ best, size_t *__restrict__ stopped,
                       size_t keys, size_t left, size_t right, size_t d)
{
  constexpr int stages = 3;
  __shared__ float kt_stage[stages][BKEY][33];
  const size_t query = blockIdx.x * (size_t)BQ + threadIdx.y;
  const size_t first = blockIdx.x * (size_t)BQ;
  const size_t lo = first > left ? first - left : 0;
  const size_t hi = first + BQ + right;
  float mine = q[query * d + threadIdx.x], top = -1e30f;
  size_t tile = 0;

  // pipelinify: cp.async, 3 stages, source 5ba241b0
  size_t tile_load = tile;
  bool more = true;
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
  {
    auto &tile = tile_load;
    if (more)
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
    }
    if (more)
    {
      const size_t k0 = tile * BKEY;
      for (int r = threadIdx.y; r < BKEY; r += BQ)
        __pipeline_memcpy_async(&kt_stage[load_stage][r][threadIdx.x], &k[(k0 + r) * d + threadIdx.x], sizeof(float),
                                (k0 + r < keys) ? 0 : sizeof(float));
      ++tile;
    }
    __pipeline_commit();
  }
  int stage = 0;
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (;; ++tile)
  {
    const size_t k0 = tile * BKEY;
    if (k0 >= keys || k0 >= hi)
      break;
    if (k0 + BKEY <= lo)
      continue;
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    {
      auto &tile = tile_load;
      if (more)
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
      }
      if (more)
      {
        int load_stage = stage == 0 ? stages - 1 : stage - 1;
        const size_t k0 = tile * BKEY;
        for (int r = threadIdx.y; r < BKEY; r += BQ)
          __pipeline_memcpy_async(&kt_stage[load_stage][r][threadIdx.x], &k[(k0 + r) * d + threadIdx.x], sizeof(float),
                                  (k0 + r < keys) ? 0 : sizeof(float));
        ++tile;
      }
    }
    __pipeline_commit();
    {
      const size_t k0 = tile * BKEY;
      for (int j = 0; j < BKEY; ++j) {
        const size_t key = k0 + j;
        if (key < keys && key + left >= query && key <= query + right)
          top = fmaxf(top, mine * kt_stage[stage][j][threadIdx.x]);
      }
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

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
