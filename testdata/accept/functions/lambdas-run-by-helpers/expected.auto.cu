// Helpers that run a lambda for each index of a thread; the lambdas fill the tiles.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int BD = 32;

template <class F>
__device__ __forceinline__ void team_for(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}

// rows and columns from one index
template <class F>
__device__ __forceinline__ void team_for_2d(int rows, int cols, const F &body)
{
  for (int idx = threadIdx.x; idx < rows * cols; idx += 32)
    body(idx / cols, idx % cols);
}

// Products of rows with one vector; n is a name of the helper's, too.
//
// pipelinify: launch rows_dot
//   sizes  n=40 d=0,32,64,96,160
//   sizes  n=1 d=32
//   target n=65536 d=4096
//   grid   (n + 31) / 32
//   block  32
//   x:   in  [n * d + 1] random
//   q:   in  [d + 1] random
//   out: out [n]
//   n:   n
//   d:   d
__global__ __launch_bounds__(32) void rows_dot(const float *__restrict__ x, const float *__restrict__ q,
                                               float *__restrict__ out, int n, int d) {
  __shared__ float xs_stage[2][32][BD + 1];
  __shared__ float qs_stage[2][BD];
  const int row0 = blockIdx.x * 32;
  float acc = 0.f;
  // pipelinify: cp.async, 2 stages, source d2a5816b
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < d) {
      for (int i = threadIdx.x; i < 32 * BD; i += blockDim.x) {
        const int r = i / BD, k = i % BD;
        __pipeline_memcpy_async(&xs_stage[load_stage][r][k], &x[(row0 + r) * d + c_load + k], sizeof(float),
                                (row0 + r < n) ? 0 : sizeof(float));
      }
      for (int i = threadIdx.x; i < BD; i += blockDim.x) {
        __pipeline_memcpy_async(&qs_stage[load_stage][i], &q[c_load + i], sizeof(float));
      }
      c_load += BD;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int c = 0; c < d; c += BD) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    for (int k = 0; k < BD; ++k) acc += xs_stage[stage][threadIdx.x][k] * qs_stage[stage][k];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  if (row0 + threadIdx.x < n) out[row0 + threadIdx.x] = acc;
}

// The Gram matrix of 8 columns, whose rows come by eights.
//
// pipelinify: launch gram8
//   sizes  n=0,8,16,24,40
//   target n=65536
//   grid   1
//   block  32
//   a:   in  [8 * n + 1] random
//   out: out [64]
//   n:   n
__global__ __launch_bounds__(32) void gram8(const float *__restrict__ a, float *__restrict__ out, int n)
{
  constexpr int stages = 8;
  __shared__ __align__(16) float t_stage[stages][8][8];
  const int i = threadIdx.x / 8, j = threadIdx.x % 8;
  float lower = 0.f, upper = 0.f;
  // pipelinify: cp.async, 8 stages, source e84569bb
  // Whether 4 neighbouring elements can be one copy: all is aligned.
  const bool joined = blockDim.x == 32 && (size_t)a % 16 == 0;
  int r0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
  {
    if (r0_load < n)
    {
      if (joined)
      {
        for (int idx = 4 * threadIdx.x; idx < 8 * 8; idx += 4 * 32)
        {
          int r = idx / 8;
          auto c = idx % 8;
          __pipeline_memcpy_async(&t_stage[load_stage][r][c], &a[(r0_load + r) * 8 + c], 16);
        }
      }
      else
      {
        for (int idx = threadIdx.x; idx < 8 * 8; idx += 32)
        {
          int r = idx / 8;
          auto c = idx % 8;
          __pipeline_memcpy_async(&t_stage[load_stage][r][c], &a[(r0_load + r) * 8 + c], sizeof(float));
        }
      }
      r0_load += 8;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int r0 = 0; r0 < n; r0 += 8)
  {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int r = 0; r < 8; ++r)
    {
      lower += t_stage[stage][r][i] * t_stage[stage][r][j];
      upper += t_stage[stage][r][i + 4] * t_stage[stage][r][j];
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[i * 8 + j] = lower;
  out[(i + 4) * 8 + j] = upper;
}
