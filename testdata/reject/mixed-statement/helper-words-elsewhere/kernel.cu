// Helpers that run a lambda, whose words mean something else where they are called.
#include <cuda_runtime.h>

using index_t = int;

// accepted: all that the helper names is the same at the call
template <class F>
__device__ void team_for(int n, F f) {
  for (index_t i = threadIdx.x; i < n; i += 32) f(i);
}

__global__ __launch_bounds__(32) void same(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_for(32, [&](int j) { s[j] = a[c + j]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#define SHIFT 0
template <class F>
__device__ void team_shifted(int n, F f) {
  for (int i = threadIdx.x; i < n; i += 32) f(i + SHIFT);
}
#undef SHIFT
#define SHIFT 1

__global__ __launch_bounds__(32) void macro_defined_anew(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_shifted(32, [&](int j) { s[j & 31] = a[c + j]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <class F>
__device__ void team_cast(F f) {
  for (int i = threadIdx.x; i < 32; i += 32) f((index_t)(i + 256) - 256);
}

__global__ __launch_bounds__(32) void type_hidden(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  using index_t = unsigned char;
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_cast([&](int j) { s[j & 31] = a[c + j]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[(index_t)j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

namespace tools {
struct index_t { int parts[2]; };
template <class F>
__device__ void team_for(F f) {
  for (int i = threadIdx.x; i < 32; i += 32) f(i, (int)sizeof(index_t));
}
}  // namespace tools

__global__ __launch_bounds__(32) void type_of_namespace(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    tools::team_for([&](int j, int more) { s[j] = a[c + j + more]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#define ROWS rows
template <class F>
__device__ void team_of(int n, F f) {
  for (int i = threadIdx.x; i < 32; i += 32) f(i, n);
}

__global__ __launch_bounds__(32) void argument_by_macro(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int rows = 3;
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_of(ROWS, [&](int j, int rows) { s[j] = a[c + j + rows]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#define SIZE_OF_I sizeof(i)
__global__ __launch_bounds__(32) void type_by_macro(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  using i = short;  // accepted: the helper's i gets another name
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_for(32, [&](int j) { s[j] = a[c + j + (int)SIZE_OF_I]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <class F>
__device__ void team_least(int n, F f) {
  for (int i = threadIdx.x; i < min(n, 32); i += 32) f(i);
}

__global__ __launch_bounds__(32) void function_hidden(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  auto min = [](int x, int y) { return x < y ? x - 1 : y - 1; };
  s[threadIdx.x] = min(2, 1);
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_least(40, [&](int j) { s[j] = a[c + j]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef CROSSED
template <class F>
__device__ void team_built(int n, F f) {
  for (int i = threadIdx.x; i < n; i += 32) f(i ^ 1);
}
#else
template <class F>
__device__ void team_built(int n, F f) {
  for (int i = threadIdx.x; i < n; i += 32) f(i);
}
#endif

__global__ __launch_bounds__(32) void other_in_a_build(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float sum = 0.f;
  for (int c = 0; c < n; c += 32) {
    team_built(32, [&](int j) { s[j] = a[c + j]; });
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
