// Helpers that run a lambda for each index of a thread; the lambdas fill the tiles.
#include <cuda_runtime.h>

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
  // pipelinify: ldg, 2 stages, source d2a5816b
  int c = 0, stage = 0;
  if (c < d) {
    for (int i = threadIdx.x; i < 32 * BD; i += blockDim.x) {
      const int r = i / BD, k = i % BD;
      xs_stage[0][r][k] = row0 + r < n ? x[(row0 + r) * d + c + k] : 0.f;
    }
    for (int i = threadIdx.x; i < BD; i += blockDim.x) { qs_stage[0][i] = q[c + i]; }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (c += BD; c < d; c += BD) {
      float xs_next[32];
      float qs_next[1];
      #pragma unroll
      for (int slot = 0; slot < 32; ++slot) {
        int i = threadIdx.x + slot * blockDim.x;
        if (i < 32 * BD) {
          const int r = i / BD, k = i % BD;
          xs_next[slot] = row0 + r < n ? x[(row0 + r) * d + c + k] : 0.f;
        }
      }
      #pragma unroll
      for (int slot = 0; slot < 1; ++slot) {
        int i = threadIdx.x + slot * blockDim.x;
        if (i < BD) {
          qs_next[slot] = q[c + i];
        }
      }
      for (int k = 0; k < BD; ++k) acc += xs_stage[stage][threadIdx.x][k] * qs_stage[stage][k];
      stage ^= 1;
      #pragma unroll
      for (int slot = 0; slot < 32; ++slot) {
        int i = threadIdx.x + slot * blockDim.x;
        if (i < 32 * BD) {
          const int r = i / BD, k = i % BD;
          xs_stage[stage][r][k] = xs_next[slot];
        }
      }
      // What has not been fetched ahead.
      for (int i = threadIdx.x + 32 * blockDim.x; i < 32 * BD; i += blockDim.x) {
        const int r = i / BD, k = i % BD;
        xs_stage[stage][r][k] = row0 + r < n ? x[(row0 + r) * d + c + k] : 0.f;
      }
      #pragma unroll
      for (int slot = 0; slot < 1; ++slot) {
        int i = threadIdx.x + slot * blockDim.x;
        if (i < BD) {
          qs_stage[stage][i] = qs_next[slot];
        }
      }
      // What has not been fetched ahead.
      for (int i = threadIdx.x + blockDim.x; i < BD; i += blockDim.x) { qs_stage[stage][i] = q[c + i]; }
      __syncthreads();
    }
    for (int k = 0; k < BD; ++k) acc += xs_stage[stage][threadIdx.x][k] * qs_stage[stage][k];
  }
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
  __shared__ float t_stage[2][8][8];
  const int i = threadIdx.x / 8, j = threadIdx.x % 8;
  float lower = 0.f, upper = 0.f;
  // pipelinify: ldg, 2 stages, source e84569bb
  int r0 = 0, stage = 0;
  if (r0 < n)
  {
    auto compute_tile = [&]()
    {
      for (int r = 0; r < 8; ++r)
      {
        lower += t_stage[stage][r][i] * t_stage[stage][r][j];
        upper += t_stage[stage][r][i + 4] * t_stage[stage][r][j];
      }
    };
    for (int idx = threadIdx.x; idx < 8 * 8; idx += 32) { int r = idx / 8; auto c = idx % 8;
        t_stage[0][r][c] = a[(r0 + r) * 8 + c]; }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (r0 += 8; r0 < n; r0 += 8)
    {
      float t_next[2];
      #pragma unroll
      for (int slot = 0; slot < 2; ++slot)
      {
        int idx = threadIdx.x + slot * 32;
        int r = idx / 8;
        auto c = idx % 8;
        t_next[slot] = a[(r0 + r) * 8 + c];
      }
      compute_tile();
      stage ^= 1;
      #pragma unroll
      for (int slot = 0; slot < 2; ++slot)
      {
        int idx = threadIdx.x + slot * 32;
        int r = idx / 8;
        auto c = idx % 8;
        t_stage[stage][r][c] = t_next[slot];
      }
      __syncthreads();
    }
    compute_tile();
  }
  out[i * 8 + j] = lower;
  out[(i + 4) * 8 + j] = upper;
}
