// Attention scores Q K^T: the block keeps its queries in registers and stores a column of scores for every key tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define D_HEAD 16
#define KEYS   32
#define LOAD_KEY(r, c) keys[((size_t)head * n_keys + k0 + (r)) * D_HEAD + (c)]

// pipelinify: launch qk_scores
//   sizes  n_queries=32 n_keys=0,32,64,96,128,160 heads=1
//   sizes  n_queries=40 n_keys=1,31,33,77 heads=2
//   target n_queries=2048 n_keys=2048 heads=16
//   grid   (n_queries + 31) / 32, heads
//   block  32
//   queries: in [heads * n_queries * 16] random
//   keys:    in [heads * n_keys * 16] random
//   scores:  out [heads * n_queries * n_keys]
//   scale:   0.25
//   n_queries: n_queries
//   n_keys:  n_keys
//   work   flops 2 * heads * n_queries * n_keys * 16
extern "C" __global__ void qk_scores(const float *__restrict__ queries,
                                     const float *__restrict__ keys,
                                     float *__restrict__ scores,
                                     const float scale,
                                     const int n_queries,
                                     const int n_keys)
{
  __shared__ float ktile_stage[2][KEYS][D_HEAD + 1];

  const int head = blockIdx.y;
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = q < n_queries;

  float qreg[D_HEAD];
  #pragma unroll
  for (int c = 0; c < D_HEAD; c++)
    qreg[c] = active ? queries[((size_t)head * n_queries + q) * D_HEAD + c] : 0.0f;

  // pipelinify: cp.async, 2 stages, source 7dc2bf85
  int k0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
  {
    if (k0_load < n_keys)
    {
      auto &k0 = k0_load;
      // one key a thread, a row of 16 floats each
      for (int c = 0; c < D_HEAD; c++)
      {
        if (k0 + threadIdx.x < n_keys)
          __pipeline_memcpy_async(&ktile_stage[load_stage][threadIdx.x][c], &LOAD_KEY(threadIdx.x, c), sizeof(float));
        else
          ktile_stage[load_stage][threadIdx.x][c] = 0.0f;
      }
      k0 += KEYS;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int k0 = 0; k0 < n_keys; k0 += KEYS)
  {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    const int count = min(KEYS, n_keys - k0);
    for (int r = 0; r < count; r++)
    {
      float s = 0.0f;
      #pragma unroll
      for (int c = 0; c < D_HEAD; c++)
        s += qreg[c] * ktile_stage[stage][r][c];
      if (active)
        scores[((size_t)head * n_queries + q) * n_keys + k0 + r] = s * scale;
    }
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
}
