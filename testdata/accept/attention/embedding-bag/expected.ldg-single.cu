// Embedding bag, sum mode with per-sample weights: tiles of indices are shared, the table rows are gathered in the compute part.
#include <cstdint>
#include <cuda_runtime.h>

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
  __shared__ int32_t id_tile[kIdsPerTile];
  __shared__ float   w_tile[kIdsPerTile];

  const int64_t bag_begin = static_cast<int64_t>(blockIdx.x) * per_bag;
  const int64_t bag_end   = bag_begin + per_bag;

  for (int d0 = 0; d0 < dim; d0 += blockDim.x)
  {
    const int d = d0 + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source fc0eee6d
    int64_t first = bag_begin;
    if (first < bag_end)
    {
      auto compute_tile = [&]()
      {
        if (d < dim)
        {
          for (int t = 0; t < kIdsPerTile; ++t)
            sum += w_tile[t] * table[static_cast<int64_t>(id_tile[t]) * dim + d];
        }
      };
      if (threadIdx.x < kIdsPerTile)
      {
        const bool ok = first + threadIdx.x < bag_end;
        id_tile[threadIdx.x] = ok ? ids[first + threadIdx.x] : 0;
        w_tile[threadIdx.x]  = ok ? weights[first + threadIdx.x] : 0.0f;
      }
      first += kIdsPerTile;
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (; first < bag_end; first += kIdsPerTile)
      {
        int32_t id_tile_next;
        float w_tile_next;
        if (threadIdx.x < kIdsPerTile)
        {
          const bool ok = first + threadIdx.x < bag_end;
          id_tile_next = ok ? ids[first + threadIdx.x] : 0;
          w_tile_next = ok ? weights[first + threadIdx.x] : 0.0f;
        }
        compute_tile();
        __syncthreads();
        if (threadIdx.x < kIdsPerTile)
        {
          id_tile[threadIdx.x] = id_tile_next;
          w_tile[threadIdx.x] = w_tile_next;
        }
        __syncthreads();
      }
      compute_tile();
      __syncthreads();
    }

    if (d < dim)
      out[static_cast<int64_t>(blockIdx.x) * dim + d] = sum;
  }
}

}  // namespace nn
