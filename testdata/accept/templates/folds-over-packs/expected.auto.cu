// Stencils whose offsets are a pack of numbers, and a product of as many columns as there are
// arguments: folds in what is computed, in what is loaded, and in the guard of a load.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <int... OFFSET>
struct offsets {};

// pipelinify: launch stencil<-1, 0, 1, 3>
//   sizes    rows=0,1,2,3,6
//   target   rows=65536
//   grid     2
//   block    64
//   x:       in  [2 * rows * 64]
//   w:       in  [rows]
//   y:       out [128]
//   rows:    rows
template <int... OFFSET>
__global__ void __launch_bounds__(64)
    stencil(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int rows) {
  constexpr int stages = 8;
  __shared__ float row_stage[stages][64];
  float sum = 0.0f;
  // pipelinify: cp.async, 8 stages, source 616287b7
  int r_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (r_load < rows) {
      __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x], &x[(blockIdx.x * rows + r_load) * 64 + threadIdx.x],
                              sizeof(float));
      ++r_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int r = 0; r < rows; ++r) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    auto &row = row_stage[stage];
    const float around = (row[(threadIdx.x + OFFSET) & 63] + ...);
    sum += w[r] * around;
    if (((r % 7 == OFFSET) || ...)) // a row that counts twice
      sum += 1.0f;
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch product_of_columns<float, int, float>
//   sizes    n=0,1,63,64,65,130
//   target   n=1048576
//   grid     2
//   block    64
//   n:       n
//   y:       out [128]
//   columns0: in [n]
//   columns1: in [n]
//   columns2: in [n]
template <typename... T>
__global__ void __launch_bounds__(64)
    product_of_columns(int n, float *__restrict__ y, const T *__restrict__... columns) {
  __shared__ float part_stage[2][64];
  float sum = 0.0f;
  // pipelinify: ldg, 2 stages, source 94a1b8c6
  int first = 0, stage = 0;
  if (first < n) {
    {
      const int at = first + threadIdx.x;
      if (at < n) {
        part_stage[0][threadIdx.x] = (static_cast<float>(columns[at]) * ...);
      } else
        part_stage[0][threadIdx.x] = 0.0f;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (first += 64; first < n; first += 64) {
      float part_next;
      const int at = first + threadIdx.x;
      if (at < n) {
        part_next = (static_cast<float>(columns[at]) * ...);
      } else {
        part_next = 0.0f;
      }
      for (int k = 0; k < 64; ++k)
        sum += part_stage[stage][k] * (float)((k + threadIdx.x) % 3 + blockIdx.x);
      stage ^= 1;
      part_stage[stage][threadIdx.x] = part_next;
      __syncthreads();
    }
    for (int k = 0; k < 64; ++k)
      sum += part_stage[stage][k] * (float)((k + threadIdx.x) % 3 + blockIdx.x);
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template <typename... T>
__device__ __forceinline__ float weigh(const float *cell, const T... weight) {
  return (... + (weight * cell[0]));
}

// pipelinify: launch chosen_rows<2, 3, 5, 7>
//   sizes    tiles=0,1,2,5
//   target   tiles=65536
//   grid     2
//   block    64
//   x:       in  [2 * tiles * 64]
//   y:       out [128]
//   tiles:   tiles
template <int... CHOSEN>
__global__ void __launch_bounds__(64)
    chosen_rows(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  constexpr int stages = 8;
  __shared__ float tile_stage[stages][64];
  float sum = 0.0f;
  // pipelinify: cp.async, 8 stages, source d6dc8a6d
  int t_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (t_load < tiles) {
      if ((... || (threadIdx.x % 8 == CHOSEN)))
        __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                &x[(blockIdx.x * tiles + t_load) * 64 + threadIdx.x], sizeof(float));
      else
        tile_stage[load_stage][threadIdx.x] = 0.0f;
      ++t_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      sum += weigh(tile_stage[stage] + k, (float)CHOSEN...);
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, const float *w, const int *n, float *y, int rows) {
  stencil<-1, 0, 1, 3><<<2, 64>>>(x, w, y, rows);
  product_of_columns<float, int, float><<<2, 64>>>(rows, y, x, n, w);
  chosen_rows<2, 3, 5, 7><<<2, 64>>>(x, y, rows);
}
