// Weight-only quantised linear layer: int8 weights are scaled to float on their way into shared memory.
#include <cuda_fp16.h>
#include <cstdint>

constexpr int kRows = 16;
constexpr int kCols = 32;
constexpr int kDepth = 32;
constexpr int kThreads = 128;

__device__ __forceinline__ float dequant(int8_t q, float scale, float zero) { return scale * (static_cast<float>(q) - zero); }

// pipelinify: launch linear_w8
//   sizes    tokens=16 outs=32 depth=0,1,31,32,33,64,96,128,160
//   sizes    tokens=3,20 outs=40 depth=70
//   target   tokens=64 outs=4096 depth=4096
//   requires tokens > 0 && outs > 0
//   grid     (outs + 31) / 32, (tokens + 15) / 16
//   block    128
//   x:       in  [tokens * depth]
//   qweight: in  [depth * outs]
//   scales:  in  [outs]  range(0.01, 0.02)
//   zeros:   in  [outs]  range(-4, 4)
//   y:       out [tokens * outs]
//   tokens:  tokens
//   outs:    outs
//   depth:   depth
__global__ __launch_bounds__(kThreads)
void linear_w8(const half* __restrict__ x, const int8_t* __restrict__ qweight,
               const float* __restrict__ scales, const float* __restrict__ zeros,
               half* __restrict__ y, int tokens, int outs, int depth)
{
  __shared__ float xs_stage[2][kRows][kDepth];
  __shared__ float ws_stage[2][kDepth][kCols];

  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * kRows;
  const int col0 = blockIdx.x * kCols;
  const int lane = tid % kCols;          // column of this thread, for loading and for computing
  const int group = tid / kCols;
  const bool live = col0 + lane < outs;
  const float scale = live ? scales[col0 + lane] : 0.0f;
  const float zero = live ? zeros[col0 + lane] : 0.0f;

  float acc[kRows / 4] = {};

  // pipelinify: ldg, 2 stages, source a39bdc21
  int k0 = 0, stage = 0;
  if (k0 < depth) {
    auto compute_tile = [&]() {
#pragma unroll 8
      for (int k = 0; k < kDepth; ++k) {
        const float w = ws_stage[stage][k][lane];
#pragma unroll
        for (int i = 0; i < kRows / 4; ++i) acc[i] += xs_stage[stage][group + i * 4][k] * w;
      }
    };
    // activations: half to float
#pragma unroll
    for (int r = group; r < kRows; r += kThreads / kCols) {
      const bool ok = row0 + r < tokens && k0 + lane < depth;
      xs_stage[0][r][lane] = ok ? __half2float(x[(row0 + r) * depth + k0 + lane]) : 0.0f;
    }
    // weights: int8 to float
#pragma unroll
    for (int r = group; r < kDepth; r += kThreads / kCols) {
      float w = 0.0f;
      if (live && k0 + r < depth) {
        w = dequant(qweight[(k0 + r) * outs + col0 + lane], scale, zero);
      }
      ws_stage[0][r][lane] = w;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += kDepth; k0 < depth; k0 += kDepth) {
      float xs_next[kRows / (kThreads / kCols)];
      float ws_next[kDepth / (kThreads / kCols)];
      // activations: half to float
#pragma unroll
      for (int slot = 0; slot < kRows / (kThreads / kCols); ++slot) {
        int r = group + slot * (kThreads / kCols);
        const bool ok = row0 + r < tokens && k0 + lane < depth;
        xs_next[slot] = ok ? __half2float(x[(row0 + r) * depth + k0 + lane]) : 0.0f;
      }
      // weights: int8 to float
#pragma unroll
      for (int slot = 0; slot < kDepth / (kThreads / kCols); ++slot) {
        int r = group + slot * (kThreads / kCols);
        float w = 0.0f;
        if (live && k0 + r < depth) {
          w = dequant(qweight[(k0 + r) * outs + col0 + lane], scale, zero);
        }
        ws_next[slot] = w;
      }
      compute_tile();
      stage ^= 1;
#pragma unroll
      for (int slot = 0; slot < kRows / (kThreads / kCols); ++slot) {
        int r = group + slot * (kThreads / kCols);
        xs_stage[stage][r][lane] = xs_next[slot];
      }
#pragma unroll
      for (int slot = 0; slot < kDepth / (kThreads / kCols); ++slot) {
        int r = group + slot * (kThreads / kCols);
        ws_stage[stage][r][lane] = ws_next[slot];
      }
      __syncthreads();
    }
    compute_tile();
  }

#pragma unroll
  for (int i = 0; i < kRows / 4; ++i) {
    const int row = row0 + group + i * 4;
    if (row < tokens && live) y[row * outs + col0 + lane] = __float2half(acc[i]);
  }
}
