#include <cuda_runtime.h>

#define BINS 64

// Which samples there are, and what they weigh, is said once for each tile.
// pipelinify: launch smoothed
//   sizes  n=0,1,63,64,65,128,190,320 rows=1,2
//   target n=1000000 rows=2048
//   grid   rows
//   block  BINS
//   let    BINS = 64
//   x:     in  [rows * n] range(-1, 1)
//   out:   out [rows * BINS]
//   n:     n
__global__ void smoothed(const float *__restrict__ x, float *__restrict__ out, int n)
{
  __shared__ float tile_stage[2][BINS];
  const float *row = x + (size_t)blockIdx.x * n;
  float sum = 0.0f;
  // pipelinify: ldg, 2 stages, source ec2efceb
  int base = 0, base_tile = base, stage = 0;
  if (base < n) {
    auto compute_tile = [&]() {
      auto &tile = tile_stage[stage];
      auto &base = base_tile;
      const auto exists = [&](int i) { return base + i < n; };
      auto weight = [&](int i) {
        const int distance = abs(base + i - (int)threadIdx.x);
        return 1.0f / (1 + distance);
      };
      auto add = [&](int i) { sum += tile[i] * weight(i); };
      for (int i = 0; i < BINS && exists(i); ++i)
        add(i);
    };
    {
      const auto exists = [&](int i) { return base + i < n; };
      tile_stage[0][threadIdx.x] = exists(threadIdx.x) ? row[base + threadIdx.x] : 0.0f;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (base += BINS; base < n; base += BINS) {
      const auto exists = [&](int i) { return base + i < n; };
      float tile_next = exists(threadIdx.x) ? row[base + threadIdx.x] : 0.0f;
      compute_tile();
      base_tile += BINS;
      stage ^= 1;
      tile_stage[stage][threadIdx.x] = tile_next;
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * BINS + threadIdx.x] = sum;
}

// pipelinify: launch gated
//   sizes  tiles=0,1,2,3,5,9 planes=1,3
//   target tiles=4096 planes=8
//   grid   2
//   block  BINS
//   let    BINS = 64
//   x:     in  [planes * tiles * BINS] range(-1, 1)
//   gate:  in  [planes * tiles] range(-1, 2)
//   out:   out [2 * BINS]
//   tiles: tiles
//   planes: planes
__global__ void gated(const float *__restrict__ x, const float *__restrict__ gate, float *__restrict__ out,
                      int tiles, int planes)
{
  __shared__ float tile_stage[2][BINS];
  float sum = 0.0f;
  for (int p = 0; p < planes; ++p)
    // pipelinify: ldg, 2 stages, source 9c70d2bd
    {
      int t = 0, stage = 0;
      bool more = false;
      for (; t < tiles; ++t) {
        auto open = [&] { return gate[p * tiles + t]; };
        if (open() <= 0.0f)
          continue;
        more = true;
        break;
      }
      int t_tile = t;
      if (more) {
        auto compute_tile = [&]() {
          auto &t = t_tile;
          auto open = [&] { return gate[p * tiles + t]; };
          auto at = [=](int i) { return (p * tiles + t) * BINS + i; };
          for (int i = 0; i < BINS; ++i)
            sum += tile_stage[stage][i] * open() * (at(i) ^ threadIdx.x);
        };
        {
          auto at = [=](int i) { return (p * tiles + t) * BINS + i; };
          tile_stage[0][threadIdx.x] = x[at(threadIdx.x)];
        }
        ++t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
          more = false;
          for (; t < tiles; ++t) {
            auto open = [&] { return gate[p * tiles + t]; };
            if (open() <= 0.0f)
              continue;
            more = true;
            break;
          }
          if (!more)
            break;
          int t_next = t;
          auto at = [=](int i) { return (p * tiles + t) * BINS + i; };
          float tile_next = x[at(threadIdx.x)];
          compute_tile();
          t_tile = t_next;
          stage ^= 1;
          tile_stage[stage][threadIdx.x] = tile_next;
          __syncthreads();
          ++t;
        }
        compute_tile();
        __syncthreads();
      }
    }
  out[blockIdx.x * BINS + threadIdx.x] = sum;
}
