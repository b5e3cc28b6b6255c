// Dot products by one of two functions: which one it is, a pointer says that the size
// decides, and another that a function gives.
#include <cuda_runtime.h>

constexpr int kTile = 128;
typedef float (*dot_t)(const float *tile, int lane);

__device__ float seen[kTile];

__device__ float quiet(const float *tile, int lane) {
  return tile[lane] * tile[kTile - 1 - lane];
}

__device__ float counted(const float *tile, int lane) {
  seen[lane] += tile[lane];
  return seen[lane];
}

__host__ __device__ constexpr dot_t chosen() { return counted; }

__global__ void by_size(const float *x, float *y, int n) {
  __shared__ float tile[kTile];
  const dot_t dot = n > 4 * kTile ? counted : quiet;
  float sum = 0.f;
  for (int k = 0; k < n; k += kTile) {
    tile[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += dot(tile, threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_function(const float *x, float *y, int n) {
  __shared__ float tile[kTile];
  constexpr dot_t dot = chosen();
  float sum = 0.f;
  for (int k = 0; k < n; k += kTile) {
    tile[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += dot(tile, threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_a_pointer_that_is_set(const float *x, float *y, int n) {
  __shared__ float tile[kTile];
  dot_t dot = quiet;
  float sum = 0.f;
  for (int k = 0; k < n; k += kTile) {
    tile[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += dot(tile, threadIdx.x);
    dot = counted;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
