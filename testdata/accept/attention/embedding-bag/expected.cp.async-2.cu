// Embedding bag, sum mode with per-sample weights: tiles of indices are shared, the table rows are gathered in the compute part.
#include <cstdint>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace nn { namespace {

constexpr int kIdsPerTile = 32;

}  // namespace

// pipelinify: launch nn::embedding_bag_sum
//   sizes  bags=1 per_bag=0,1,31,32,33,64,96,128,160,200 dim=64,130 vocab=20
//   sizes  bags=4 per_bag=50 dim=40,64 vocab=7
//   target bags=16384 per_bag=128 dim=128 vocab=1000000
//   grid   bags
//   block  64
//   table:   in [vocab * dim] random
//   ids:     in [bags * per_bag] below(vocab)
//   weights: in [bags * per_bag] random
//   out:     out [bags * dim]
//   per_bag: per_bag
//   dim:     dim
//   work   bytes 4 * bags * per_bag * dim
__global__ void embedding_bag_sum(const float* __restrict__ table,
                                  const int32_t* __restrict__ ids,
                                  const float* __restrict__ weights,
                                  float* __restrict__ out,
                                  int per_bag, int dim)
{
  __shared__ int32_t id_tile_stage[2][kIdsPerTile];
  __shared__ float   w_tile_stage[2][kIdsPerTile];

  const int64_t bag_begin = static_cast<int64_t>(blockIdx.x) * per_bag;
  const int64_t bag_end   = bag_begin + per_bag;

  for (int d0 = 0; d0 < dim; d0 += blockDim.x)
  {
    const int d = d0 + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source fc0eee6d
    int64_t first_load = bag_begin;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
      if (first_load < bag_end)
      {
        if (threadIdx.x < kIdsPerTile)
        {
          const bool ok = first_load + threadIdx.x < bag_end;
          __pipeline_memcpy_async(&id_tile_stage[load_stage][threadIdx.x], &ids[first_load + threadIdx.x], sizeof(int32_t),
                                  ok ? 0 : sizeof(int32_t));
          __pipeline_memcpy_async(&w_tile_stage[load_stage][threadIdx.x], &weights[first_load + threadIdx.x], sizeof(float),
                                  ok ? 0 : sizeof(float));
        }
        first_load += kIdsPerTile;
      }
      __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (int64_t first = bag_begin; first < bag_end; first += kIdsPerTile)
    {
      __pipeline_wait_prior(0);
      __syncthreads();
      copy_tile(stage ^ 1);

      if (d < dim)
      {
        for (int t = 0; t < kIdsPerTile; ++t)
          sum += w_tile_stage[stage][t] * table[static_cast<int64_t>(id_tile_stage[stage][t]) * dim + d];
      }
      stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    if (d < dim)
      out[static_cast<int64_t>(blockIdx.x) * dim + d] = sum;
  }
}

}  // namespace nn
