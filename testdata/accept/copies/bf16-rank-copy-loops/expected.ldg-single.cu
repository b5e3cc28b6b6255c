// y = x * w^T for bfloat16 activations and weights, a 32 x 8 block to 64 x 32 outputs.
// The loaders walk their pointers; weights have a leading dimension of their own.
#include <cuda_bf16.h>

#define BM 64
#define BN 32
#define BK 64
#define NTHREADS 256

// pipelinify: launch linear_bf16
//   sizes    tokens=64 outs=32 width=0,64,128,192,256,320 ld=320
//   sizes    tokens=50,70 outs=20,40 width=64,200 ld=200,204
//   sizes    tokens=50 outs=40 width=100 ld=208
//   target   tokens=2048 outs=2048 width=2048 ld=2048
//   requires width <= ld && tokens > 0 && outs > 0
//   grid     (outs + 31) / 32, (tokens + 63) / 64
//   block    32, 8
//   x:       in  [tokens * width]
//   w:       in  [outs * ld]
//   y:       out [tokens * outs]
//   tokens:  tokens
//   outs:    outs
//   width:   width
//   ld:      ld
//   work     flops 2 * tokens * outs * width
extern "C" __global__ void linear_bf16(const __nv_bfloat16 *x, const __nv_bfloat16 *__restrict__ w,
                                       float *__restrict__ y, int tokens, int outs, int width, int ld)
{
  __shared__ __nv_bfloat16 xs[BM * BK], ws[BN * BK];
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int m0 = blockIdx.y * BM;
  const int n0 = blockIdx.x * BN;

  float acc[8] = {};
  x += m0 * width;
  w += n0 * ld;
  // pipelinify: ldg-single, 1 stage, source 64083e35
  int left = width;
  if (left > 0) {
    auto compute_tile = [&]() {
      for (int c = 0; c < BK; ++c) {
        const float b = __bfloat162float(ws[threadIdx.x * BK + c]);
#pragma unroll
        for (int j = 0; j < 8; ++j)
          acc[j] += __bfloat162float(xs[(threadIdx.y + 8 * j) * BK + c]) * b;
      }
    };
    for (unsigned i = tid; i < BM * BK; i += NTHREADS) {
      const unsigned r = i / BK, c = i % BK;
      if (m0 + r >= tokens || c >= left)
        xs[i] = __float2bfloat16(0.f);
      else
        xs[i] = x[r * width + c];
    }
    for (unsigned i = tid; i < BN * BK; i += NTHREADS) {
      const unsigned r = i / BK, c = i % BK;
      ws[i] = n0 + r < outs && c < left ? w[r * ld + c] : __float2bfloat16(0.f);
    }
    x += BK;
    w += BK;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (left -= BK; left > 0; left -= BK) {
      __nv_bfloat16 xs_next[BM * BK / NTHREADS];
      __nv_bfloat16 ws_next[BN * BK / NTHREADS];
#pragma unroll
      for (int slot = 0; slot < BM * BK / NTHREADS; ++slot) {
        unsigned int i = (tid < NTHREADS ? tid : NTHREADS - 1) + slot * NTHREADS;
        const unsigned r = i / BK, c = i % BK;
        if (m0 + r >= tokens || c >= left)
          xs_next[slot] = __float2bfloat16(0.f);
        else
          xs_next[slot] = x[r * width + c];
      }
#pragma unroll
      for (int slot = 0; slot < BN * BK / NTHREADS; ++slot) {
        unsigned int i = (tid < NTHREADS ? tid : NTHREADS - 1) + slot * NTHREADS;
        const unsigned r = i / BK, c = i % BK;
        ws_next[slot] = __float2bfloat16(0.f);
        if (n0 + r < outs && c < left)
          ws_next[slot] = w[r * ld + c];
      }
      compute_tile();
      __syncthreads();
#pragma unroll
      for (int slot = 0; slot < BM * BK / NTHREADS; ++slot) {
        unsigned int i = (tid < NTHREADS ? tid : NTHREADS - 1) + slot * NTHREADS;
        xs[i] = xs_next[slot];
      }
#pragma unroll
      for (int slot = 0; slot < BN * BK / NTHREADS; ++slot) {
        unsigned int i = (tid < NTHREADS ? tid : NTHREADS - 1) + slot * NTHREADS;
        ws[i] = ws_next[slot];
      }
      x += BK;
      w += BK;
      __syncthreads();
    }
    compute_tile();
  }
  for (int j = 0; j < 8; ++j) {
    const int r = m0 + threadIdx.y + 8 * j, c = n0 + threadIdx.x;
    if (r < tokens && c < outs)
      y[r * outs + c] = acc[j];
  }
}
