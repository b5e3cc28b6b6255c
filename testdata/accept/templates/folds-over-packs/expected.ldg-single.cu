// Stencils whose offsets are a pack of numbers, and a product of as many columns as there are
// arguments: folds in what is computed, in what is loaded, and in the guard of a load.
#include <cuda_runtime.h>

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
  __shared__ float row[64];
  float sum = 0.0f;
  // pipelinify: ldg-single, 1 stage, source 616287b7
  int r = 0, r_tile = r;
  if (r < rows) {
    auto compute_tile = [&]() {
      auto &r = r_tile;
      const float around = (row[(threadIdx.x + OFFSET) & 63] + ...);
      sum += w[r] * around;
      if (((r % 7 == OFFSET) || ...)) // a row that counts twice
        sum += 1.0f;
    };
    row[threadIdx.x] = x[(blockIdx.x * rows + r) * 64 + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++r; r < rows; ++r) {
      float row_next = x[(blockIdx.x * rows + r) * 64 + threadIdx.x];
      compute_tile();
      ++r_tile;
      __syncthreads();
      row[threadIdx.x] = row_next;
      __syncthreads();
    }
    compute_tile();
  }
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
  __shared__ float part[64];
  float sum = 0.0f;
  // pipelinify: ldg-single, 1 stage, source 94a1b8c6
  int first = 0;
  if (first < n) {
    {
      const int at = first + threadIdx.x;
      if (at < n) {
        part[threadIdx.x] = (static_cast<float>(columns[at]) * ...);
      } else
        part[threadIdx.x] = 0.0f;
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
        sum += part[k] * (float)((k + threadIdx.x) % 3 + blockIdx.x);
      __syncthreads();
      part[threadIdx.x] = part_next;
      __syncthreads();
    }
    for (int k = 0; k < 64; ++k)
      sum += part[k] * (float)((k + threadIdx.x) % 3 + blockIdx.x);
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
  __shared__ float tile[64];
  float sum = 0.0f;
  // pipelinify: ldg-single, 1 stage, source d6dc8a6d
  int t = 0;
  if (t < tiles) {
    if ((... || (threadIdx.x % 8 == CHOSEN)))
      tile[threadIdx.x] = x[(blockIdx.x * tiles + t) * 64 + threadIdx.x];
    else
      tile[threadIdx.x] = 0.0f;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++t; t < tiles; ++t) {
      float tile_next;
      if ((... || (threadIdx.x % 8 == CHOSEN)))
        tile_next = x[(blockIdx.x * tiles + t) * 64 + threadIdx.x];
      else
        tile_next = 0.0f;
      for (int k = 0; k < 64; ++k)
        sum += weigh(tile + k, (float)CHOSEN...);
      __syncthreads();
      tile[threadIdx.x] = tile_next;
      __syncthreads();
    }
    for (int k = 0; k < 64; ++k)
      sum += weigh(tile + k, (float)CHOSEN...);
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, const float *w, const int *n, float *y, int rows) {
  stencil<-1, 0, 1, 3><<<2, 64>>>(x, w, y, rows);
  product_of_columns<float, int, float><<<2, 64>>>(rows, y, x, n, w);
  chosen_rows<2, 3, 5, 7><<<2, 64>>>(x, y, rows);
}
