// A block votes whether a tile is looked at: of one that is not, nothing is asserted.
#include <cassert>
#include <cuda_runtime.h>

constexpr int kCells = 128;

__device__ float cell_of(const float *cells, int i) {
  assert(cells[i] >= 0.f);
  return sqrtf(cells[i]);
}

__global__ void sums_until_enough(const float *__restrict__ cells, float *__restrict__ out,
                                  float enough, int n) {
  __shared__ float tile[kCells];
  float sum = 0.f;
  bool done = false;
  for (int k = 0; k < n; k += kCells) {
    if (__syncthreads_and(done))
      break;
    tile[threadIdx.x] = cell_of(cells, k + threadIdx.x);
    __syncthreads();
    for (int i = 0; i < kCells; ++i)
      sum += tile[i] * (i % 3);
    done = sum > enough;
  }
  out[blockIdx.x * kCells + threadIdx.x] = sum;
}
