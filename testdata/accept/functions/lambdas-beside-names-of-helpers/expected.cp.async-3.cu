// Lambdas that helpers run, where names of the helpers mean something else to their callers.
#include <cuda_pipeline.h>

#define AT (c + j + i)

template <class F>
__device__ void each(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}

template <class F>
__device__ void each_of_half(int n, F f) {
  for (int i = (n /= 2, threadIdx.x); i < n; i += blockDim.x) f(i);
}

// The lambda has an i of the caller's, the helper one of its own.
//
// pipelinify: launch sees_local
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [2 * d + n + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void sees_local(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  constexpr int stages = 3;
  __shared__ __align__(16) float xs_stage[stages][64];
  float acc = 0.f;
  int i = n;
  // pipelinify: cp.async, 3 stages, source 499e9acd
  // Whether 4 neighbouring elements can be one copy: all is aligned.
  const bool joined = (size_t)x % 16 == 0 && n % 4 == 0;
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      if (joined) {
        for (int i_each = 4 * threadIdx.x; i_each < 64; i_each += 4 * blockDim.x) {
          int j = i_each;
          __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[c_load + j + i], 16);
        }
      } else {
        for (int i_each = threadIdx.x; i_each < 64; i_each += blockDim.x) {
          int j = i_each;
          __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[c_load + j + i], sizeof(float));
        }
      }
      c_load += 64;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < d; c += 64) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = acc * n;
}

// So has the bound.
//
// pipelinify: launch bound_has_local
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [d + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void bound_has_local(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  constexpr int stages = 3;
  __shared__ __align__(16) float xs_stage[stages][64];
  float acc = 0.f;
  int i = 64;
  // pipelinify: cp.async, 3 stages, source 7381cdca
  // Whether 4 neighbouring elements can be one copy: all is aligned.
  const bool joined = (size_t)x % 16 == 0;
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      if (joined) {
        for (int i_each = 4 * threadIdx.x; i_each < i; i_each += 4 * blockDim.x) {
          int j = i_each;
          __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[c_load + j], 16);
        }
      } else {
        for (int i_each = threadIdx.x; i_each < i; i_each += blockDim.x) {
          int j = i_each;
          __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[c_load + j], sizeof(float));
        }
      }
      c_load += 64;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < d; c += 64) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = acc * n;
}

// The name stands in a macro's body.
//
// pipelinify: launch sees_local_by_macro
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [2 * d + n + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void sees_local_by_macro(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  constexpr int stages = 3;
  __shared__ __align__(16) float xs_stage[stages][64];
  float acc = 0.f;
  int i = n;
  // pipelinify: cp.async, 3 stages, source 1e8a99c2
  // Whether 4 neighbouring elements can be one copy: all is aligned.
  const bool joined = (size_t)x % 16 == 0 && n % 4 == 0;
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      auto &c = c_load;
      if (joined) {
        for (int i_each = 4 * threadIdx.x; i_each < 64; i_each += 4 * blockDim.x) {
          int j = i_each;
          __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[AT], 16);
        }
      } else {
        for (int i_each = threadIdx.x; i_each < 64; i_each += blockDim.x) {
          int j = i_each;
          __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[AT], sizeof(float));
        }
      }
      c += 64;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < d; c += 64) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = acc * n;
}

// The helper changes what it is handed.
//
// pipelinify: launch bound_is_changed
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [d + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void bound_is_changed(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  constexpr int stages = 3;
  __shared__ float xs_stage[stages][64];
  float acc = 0.f;
  // pipelinify: cp.async, 3 stages, source c32fe53a
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      int n = 128;
      for (int i = (n /= 2, threadIdx.x); i < n; i += blockDim.x) {
        int j = i;
        __pipeline_memcpy_async(&xs_stage[load_stage][j], &x[c_load + j], sizeof(float));
      }
      c_load += 64;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < d; c += 64) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = acc * n;
}

// The lambda changes its own index, the helper's loop goes on.
//
// pipelinify: launch index_is_changed
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [d + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void index_is_changed(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  constexpr int stages = 3;
  __shared__ float xs_stage[stages][64];
  float acc = 0.f;
  // pipelinify: cp.async, 3 stages, source f39d2d47
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      for (int i_each = threadIdx.x; i_each < 64; i_each += blockDim.x) {
        int i = i_each;
        __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[c_load + i], sizeof(float));
        i += 32;
      }
      c_load += 64;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < d; c += 64) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = acc * n;
}
