// int8 x int8 products, a scale for each row and 32 columns: rows past the end
// are clamped to the last one, which the loader is given by reference.
#include <cuda_runtime.h>

#define ROWS_X 64
#define ROWS_Y 32
#define WARPS 4

template <bool clamp>
static __device__ __forceinline__ void load_x(const int *__restrict__ q, const float *__restrict__ s,
                                              int *__restrict__ tile_q, float *__restrict__ tile_s,
                                              const int &warp, const int &last, const int &lane,
                                              const int &groups) {
#pragma unroll
  for (int i0 = 0; i0 < ROWS_X; i0 += WARPS) {
    int i = i0 + warp;
    if (clamp) i = min(i, last);
    tile_q[(i0 + warp) * 33 + lane] = q[i * groups * 8 + lane];
  }
#pragma unroll
  for (int i0 = 0; i0 < ROWS_X; i0 += WARPS * 8) {
    int i = i0 + warp * 8 + lane / 4;
    if (clamp) i = min(i, last);
    tile_s[(i0 + warp * 8 + lane / 4) * 5 + lane % 4] = s[i * groups + lane % 4];
  }
}

template <bool clamp>
static __device__ __forceinline__ auto load_x_fetch(const int *__restrict__ q, const float *__restrict__ s,
                                                    const int &warp, const int &last, const int &lane,
                                                    const int &groups) {
  struct {
    int tile_q_next[ROWS_X / WARPS];
    float tile_s_next[ROWS_X / (WARPS * 8)];
  } next;
#pragma unroll
  for (int i0 = 0; i0 < ROWS_X; i0 += WARPS) {
    int i = i0 + warp;
    if (clamp)
      i = min(i, last);
    next.tile_q_next[i0 / WARPS] = q[i * groups * 8 + lane];
  }
#pragma unroll
  for (int i0 = 0; i0 < ROWS_X; i0 += WARPS * 8) {
    int i = i0 + warp * 8 + lane / 4;
    if (clamp)
      i = min(i, last);
    next.tile_s_next[i0 / (WARPS * 8)] = s[i * groups + lane % 4];
  }
  return next;
}

template <bool clamp, typename Registers>
static __device__ __forceinline__ void load_x_store(int *__restrict__ tile_q, float *__restrict__ tile_s,
                                                    const int &warp, const int &lane, const Registers &next) {
#pragma unroll
  for (int i0 = 0; i0 < ROWS_X; i0 += WARPS) {
    tile_q[(i0 + warp) * 33 + lane] = next.tile_q_next[i0 / WARPS];
  }
#pragma unroll
  for (int i0 = 0; i0 < ROWS_X; i0 += WARPS * 8) {
    tile_s[(i0 + warp * 8 + lane / 4) * 5 + lane % 4] = next.tile_s_next[i0 / (WARPS * 8)];
  }
}

static __device__ __forceinline__ float dot(const int *xq, const float *xs, const int *yq, const float *ys,
                                            const int &i, const int &j, const int &k) {
  int sum = 0;
#pragma unroll
  for (int l = 0; l < 8; l++) sum = __dp4a(xq[i * 33 + k + l], yq[j * 32 + k + l], sum);
  return xs[i * 5 + k / 8] * ys[j * 4 + k / 8] * sum;
}

// pipelinify: launch dot_q8<true>
//   sizes    m=1,63,130 n=37 groups=0,4,8,12,20
//   sizes    m=64 n=1 groups=8,12
//   target   m=4096 n=512 groups=128
//   grid     (m + 63) / 64, (n + 31) / 32
//   block    32, 4
//   xq:      in  [m * groups * 8] random
//   xs:      in  [m * groups]     random
//   yq:      in  [n * groups * 8] random
//   ys:      in  [n * groups]     random
//   out:     out [m * n]
//   m:       m
//   n:       n
//   groups:  groups
//   work     flops 2 * m * n * groups * 32
template <bool clamp>
__global__ void dot_q8(const int *__restrict__ xq, const float *__restrict__ xs, const int *__restrict__ yq,
                       const float *__restrict__ ys, float *__restrict__ out, const int m, const int n,
                       const int groups) {
  __shared__ int tile_xq_stage[2][ROWS_X * 33];
  __shared__ float tile_xs_stage[2][ROWS_X * 5];
  __shared__ int tile_yq_stage[2][ROWS_Y * 32];
  __shared__ float tile_ys_stage[2][ROWS_Y * 4];
  const int row0 = blockIdx.x * ROWS_X;
  const int col0 = blockIdx.y * ROWS_Y;
  float sum[ROWS_X / 32][ROWS_Y / WARPS] = {{0.0f}};

  // pipelinify: ldg, 2 stages, source 848fe2b3
  int g0 = 0, stage = 0;
  if (g0 < groups) {
    auto compute_tile = [&]() {
      for (int k = 0; k < 32; k += 8) {
#pragma unroll
        for (int j = 0; j < ROWS_Y; j += WARPS)
#pragma unroll
          for (int i = 0; i < ROWS_X; i += 32)
            sum[i / 32][j / WARPS] += dot(tile_xq_stage[stage], tile_xs_stage[stage], tile_yq_stage[stage],
                                          tile_ys_stage[stage], threadIdx.x + i, threadIdx.y + j, k);
      }
    };
    {
      load_x<clamp>(xq + row0 * groups * 8 + g0 * 8, xs + row0 * groups + g0, tile_xq_stage[0], tile_xs_stage[0],
                    threadIdx.y, m - row0 - 1, threadIdx.x, groups);
#pragma unroll
      for (int j = 0; j < ROWS_Y; j += WARPS) {
        const int col = min(col0 + (int)threadIdx.y + j, n - 1);
        tile_yq_stage[0][(threadIdx.y + j) * 32 + threadIdx.x] = yq[col * groups * 8 + g0 * 8 + threadIdx.x];
      }
      const int t = threadIdx.y * 8 + threadIdx.x / 4;
      tile_ys_stage[0][t * 4 + threadIdx.x % 4] = ys[min(col0 + t, n - 1) * groups + g0 + threadIdx.x % 4];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (g0 += 4; g0 < groups; g0 += 4) {
      int tile_yq_next[ROWS_Y / WARPS];
      auto tile_xq_next = load_x_fetch<clamp>(xq + row0 * groups * 8 + g0 * 8, xs + row0 * groups + g0, threadIdx.y,
                                              m - row0 - 1, threadIdx.x, groups);
#pragma unroll
      for (int j = 0; j < ROWS_Y; j += WARPS) {
        const int col = min(col0 + (int)threadIdx.y + j, n - 1);
        tile_yq_next[j / WARPS] = yq[col * groups * 8 + g0 * 8 + threadIdx.x];
      }
      const int t = threadIdx.y * 8 + threadIdx.x / 4;
      float tile_ys_next = ys[min(col0 + t, n - 1) * groups + g0 + threadIdx.x % 4];
      compute_tile();
      stage ^= 1;
      load_x_store<clamp>(tile_xq_stage[stage], tile_xs_stage[stage], threadIdx.y, threadIdx.x, tile_xq_next);
#pragma unroll
      for (int j = 0; j < ROWS_Y; j += WARPS) {
        tile_yq_stage[stage][(threadIdx.y + j) * 32 + threadIdx.x] = tile_yq_next[j / WARPS];
      }
      tile_ys_stage[stage][t * 4 + threadIdx.x % 4] = tile_ys_next;
      __syncthreads();
    }
    compute_tile();
  }

  for (int j = 0; j < ROWS_Y; j += WARPS) {
    const int col = col0 + j + threadIdx.y;
    if (col >= n) return;
    for (int i = 0; i < ROWS_X; i += 32) {
      const int row = row0 + threadIdx.x + i;
      if (row < m) out[(size_t)col * m + row] = sum[i / 32][j / WARPS];
    }
  }
}

template __global__ void dot_q8<true>(const int *, const float *, const int *, const float *, float *, int, int, int);
