// A remainder of what goes on by 32 is one place while the divisor is 32: here a header's
// default says so, and a build may give another one.
#include "sizes.cuh"
#ifndef GIVEN
#include "given.cuh"
#endif
#if !__has_include("found_by_others.cuh")
#include "found.cuh"
#endif

__global__ void by_default(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned at = t * 32 + threadIdx.x;
    s[at % WIDTH] = x[at];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// ... by way of another macro.
__global__ void by_way_of_another(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned at = t * 32 + threadIdx.x;
    s[at % LANES] = x[at];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// The header says it twice.
__global__ void said_twice(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned at = t * 32 + threadIdx.x;
    s[at % TURNS] = x[at];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// A header that is not read where a build gives the number.
__global__ void given_by_a_build(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned at = t * 32 + threadIdx.x;
    s[at % GIVEN] = x[at];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// A header that is not read where a build finds another one.
__global__ void found_by_a_build(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned at = t * 32 + threadIdx.x;
    s[at % FOUND] = x[at];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}
