// y = x * w^T for bfloat16 activations and weights, a 32 x 8 block to 64 x 32 outputs.
// The loaders walk their pointers; weights have a leading dimension of their own.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ __align__(16) __nv_bfloat16 xs_stage[stages][BM * BK], ws_stage[stages][BN * BK];
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int m0 = blockIdx.y * BM;
  const int n0 = blockIdx.x * BN;

  float acc[8] = {};
  x += m0 * width;
  w += n0 * ld;
  // pipelinify: cp.async, 3 stages, source 64083e35
  // Whether 8 neighbouring elements can be one copy: all is aligned.
  const bool joined = blockDim.x * blockDim.y == NTHREADS && (BM * BK) % 8 == 0 && BK % 8 == 0 && (size_t)x % 16 == 0 &&
                      width % 8 == 0 && (BN * BK) % 8 == 0 && (size_t)w % 16 == 0 && ld % 8 == 0;
  int left_load = width, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (left_load > 0) {
      if (joined) {
        for (unsigned i = 8 * tid; i < BM * BK; i += 8 * NTHREADS) {
          const unsigned r = i / BK, c = i % BK;
          __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[r * width + c], 16,
                                  (!(m0 + r >= tokens || c >= left_load)) ? 0 : 16);
        }
        for (unsigned i = 8 * tid; i < BN * BK; i += 8 * NTHREADS) {
          const unsigned r = i / BK, c = i % BK;
          __pipeline_memcpy_async(&ws_stage[load_stage][i], &w[r * ld + c], 16,
                                  (n0 + r < outs && c < left_load) ? 0 : 16);
        }
      } else {
        for (unsigned i = tid; i < BM * BK; i += NTHREADS) {
          const unsigned r = i / BK, c = i % BK;
          if (m0 + r >= tokens || c >= left_load)
            xs_stage[load_stage][i] = __float2bfloat16(0.f);
          else
            xs_stage[load_stage][i] = x[r * width + c];
        }
        for (unsigned i = tid; i < BN * BK; i += NTHREADS) {
          const unsigned r = i / BK, c = i % BK;
          ws_stage[load_stage][i] = n0 + r < outs && c < left_load ? w[r * ld + c] : __float2bfloat16(0.f);
        }
      }
      x += BK;
      w += BK;
      left_load -= BK;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int left = width; left > 0; left -= BK) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int c = 0; c < BK; ++c) {
      const float b = __bfloat162float(ws_stage[stage][threadIdx.x * BK + c]);
#pragma unroll
      for (int j = 0; j < 8; ++j)
        acc[j] += __bfloat162float(xs_stage[stage][(threadIdx.y + 8 * j) * BK + c]) * b;
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  for (int j = 0; j < 8; ++j) {
    const int r = m0 + threadIdx.y + 8 * j, c = n0 + threadIdx.x;
    if (r < tokens && c < outs)
      y[r * outs + c] = acc[j];
  }
}
