// What may end the program while a tile is loaded, and is no part of what is loaded: by a
// loader, in a branch, and for a value that nothing needs.
#include <cassert>
#include <cuda_runtime.h>

constexpr int kCells = 64;

__device__ float cell(const float *row, int i, int n) {
  assert(i < n);
  return row[i];
}

__device__ void load_doubled(float *tile, const float *row, int i, int n) {
  assert(i < n);
  const float v = 2.f * row[i];
  tile[threadIdx.x] = v;
  if (v > 100.f)
    __trap();
}

__global__ void by_a_loader(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[kCells];
  float sum = 0.f;
  for (int k = 0; k < n; k += kCells) {
    load_doubled(tile, x, k + threadIdx.x, n);
    __syncthreads();
    for (int i = 0; i < kCells; ++i)
      sum += tile[i] * threadIdx.x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void in_a_branch(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[kCells];
  float sum = 0.f;
  for (int k = 0; k < n; k += kCells) {
    if (k + threadIdx.x < n) {
      assert(x[k] > 0.f);
      tile[threadIdx.x] = x[k + threadIdx.x];
    } else {
      tile[threadIdx.x] = 0.f;
    }
    __syncthreads();
    for (int i = 0; i < kCells; ++i)
      sum += tile[i] * threadIdx.x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void of_no_use(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[kCells];
  float sum = 0.f;
  for (int k = 0; k < n; k += kCells) {
    for (int e = threadIdx.x; e < kCells; e += blockDim.x) {
      float ahead = cell(x, k + e, n);
      tile[e] = x[k + e] * 0.5f;
    }
    __syncthreads();
    for (int i = 0; i < kCells; ++i)
      sum += tile[i] * threadIdx.x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
