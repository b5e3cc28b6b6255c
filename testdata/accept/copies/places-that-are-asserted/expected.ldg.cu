// Rows by views that assert each place: what ends the program does so a tile earlier.
#include <cassert>
#include <cuda_runtime.h>

constexpr int kCells = 96;

template <class T> struct Row {
  T *first;
  int length;
  __device__ T &operator[](int i) const {
    assert(i >= 0 && i < length);
    return first[i];
  }
};

template <class T> struct Grid {
  T *first;
  int rows, length;
  __device__ Row<T> operator[](int r) const {
    if (r < 0 || r >= rows)
      __trap();
    return {first + r * length, length};
  }
};

// Weighted sums of columns: row by row, with an offset that the row's first cell gives.
//
// pipelinify: launch weighted_columns
//   sizes    n=0,1,2,5,9
//   block    96
//   a:       in  [n * 96 + 96] random
//   w:       in  [n + 1] random
//   out:     out [96]
//   n:       n
__global__ void weighted_columns(const float *__restrict__ a, const float *__restrict__ w,
                                 float *__restrict__ out, int n) {
  __shared__ float row_stage[2][kCells];
  __shared__ float weight_stage[2];
  const Grid<const float> rows{a, n, kCells};
  const Row<const float> weights{w, n};
  float sum = 0.f;
  // pipelinify: ldg, 2 stages, source 84525cec
  int r = 0, stage = 0;
  if (r < n) {
    row_stage[0][threadIdx.x] = 2.f * rows[r][threadIdx.x];
    if (threadIdx.x == 0)
      weight_stage[0] = weights[r];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++r; r < n; ++r) {
      float weight_next;
      float row_next = 2.f * rows[r][threadIdx.x];
      if (threadIdx.x == 0)
        weight_next = weights[r];
      for (int c = 0; c < kCells; ++c)
        sum += weight_stage[stage] * row_stage[stage][(c + threadIdx.x) % kCells];
      stage ^= 1;
      row_stage[stage][threadIdx.x] = row_next;
      if (threadIdx.x == 0)
        weight_stage[stage] = weight_next;
      __syncthreads();
    }
    for (int c = 0; c < kCells; ++c)
      sum += weight_stage[stage] * row_stage[stage][(c + threadIdx.x) % kCells];
  }
  out[threadIdx.x] = sum;
}
