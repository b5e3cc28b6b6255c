#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float tile_stage[stages][BINS];
  const float *row = x + (size_t)blockIdx.x * n;
  float sum = 0.0f;
  // pipelinify: cp.async, 3 stages, source ec2efceb
  int base_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (base_load < n) {
      auto &base = base_load;
      const auto exists = [&](int i) { return base + i < n; };
      __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &row[base + threadIdx.x], sizeof(float),
                              (exists(threadIdx.x)) ? 0 : sizeof(float));
      base += BINS;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int base = 0; base < n; base += BINS) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    auto &tile = tile_stage[stage];
    const auto exists = [&](int i) { return base + i < n; };
    auto weight = [&](int i) {
      const int distance = abs(base + i - (int)threadIdx.x);
      return 1.0f / (1 + distance);
    };
    auto add = [&](int i) { sum += tile[i] * weight(i); };
    for (int i = 0; i < BINS && exists(i); ++i)
      add(i);
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
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
  constexpr int stages = 3;
  __shared__ float tile_stage[stages][BINS];
  float sum = 0.0f;
  for (int p = 0; p < planes; ++p)
    // pipelinify: cp.async, 3 stages, source 9c70d2bd
    {
      int t = 0, t_load = t, stage = 0;
      bool more = true;
      for (int load_stage = 0; load_stage < stages - 1; ++load_stage) {
        auto &t = t_load;
        if (more) {
          more = false;
          for (; t < tiles; ++t) {
            auto open = [&] { return gate[p * tiles + t]; };
            if (open() <= 0.0f)
              continue;
            more = true;
            break;
          }
        }
        if (more) {
          auto at = [=](int i) { return (p * tiles + t) * BINS + i; };
          __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &x[at(threadIdx.x)], sizeof(float));
          ++t;
        }
        __pipeline_commit();
      }
      // Main loop: stages - 1 tiles are in flight while computing on one.
      for (; t < tiles; ++t) {
        auto open = [&] { return gate[p * tiles + t]; };
        if (open() <= 0.0f)
          continue;
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        {
          auto &t = t_load;
          if (more) {
            more = false;
            for (; t < tiles; ++t) {
              auto open = [&] { return gate[p * tiles + t]; };
              if (open() <= 0.0f)
                continue;
              more = true;
              break;
            }
          }
          if (more) {
            int load_stage = stage == 0 ? stages - 1 : stage - 1;
            auto at = [=](int i) { return (p * tiles + t) * BINS + i; };
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &x[at(threadIdx.x)], sizeof(float));
            ++t;
          }
        }
        __pipeline_commit();
        {
          auto open = [&] { return gate[p * tiles + t]; };
          auto at = [=](int i) { return (p * tiles + t) * BINS + i; };
          for (int i = 0; i < BINS; ++i)
            sum += tile_stage[stage][i] * open() * (at(i) ^ threadIdx.x);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
      }
      __pipeline_wait_prior(0);
      __syncthreads();
    }
  out[blockIdx.x * BINS + threadIdx.x] = sum;
}
