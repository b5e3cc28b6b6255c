// Monotone table lookup: warp 0 alone copies a tile of breakpoints and slopes, all warps sum the hinge functions.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename F> struct Hinge { F knee, slope; };

// pipelinify: launch hinge_sum
//   sizes    n=128 hinges=0,64,128,192,256,320,576
//   sizes    n=1,200 hinges=128
//   requires hinges % 64 == 0
//   target   n=4194304 hinges=4096
//   grid     (n + 127) / 128
//   block    128
//   x:       in  [n] random
//   knees:   in  [hinges] random
//   slopes:  in  [hinges] random
//   y:       out [n]
//   n:       n
//   hinges:  hinges
__global__ void hinge_sum(const float *__restrict__ x,
                          const float *__restrict__ knees,
                          const float *__restrict__ slopes,
                          float *__restrict__ y,
                          int n, int hinges)
{
  __shared__ float knee_stage[2][64];
  __shared__ float slope_stage[2][64];

  const int  lane    = threadIdx.x & 31;
  const bool loading = threadIdx.x < warpSize;   // warp 0
  const int  i       = blockIdx.x * blockDim.x + threadIdx.x;
  const float xi     = i < n ? x[i] : 0.f;
  float yi           = 0.f;

  // pipelinify: cp.async, 2 stages, source fef612b8
  {
    int h = 0;
    auto h_load = h;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
      if (h_load < hinges) {
        auto &knee = knee_stage[load_stage];
        auto &slope = slope_stage[load_stage];
        auto &h = h_load;
        if (loading) {
          __pipeline_memcpy_async(&knee[lane], &knees[h + lane], sizeof(float));
          __pipeline_memcpy_async(&knee[lane + 32], &knees[h + lane + 32], sizeof(float));
          __pipeline_memcpy_async(&slope[lane], &slopes[h + lane], sizeof(float));
          __pipeline_memcpy_async(&slope[lane + 32], &slopes[h + lane + 32], sizeof(float));
        }
        h += 64;
      }
      __pipeline_commit();
    };

    // Prologue: start copying the first tile.
    copy_tile(0);

    // Main loop: 1 tile is in flight while computing on one.
    int stage = 0;
    for (; h < hinges; h += 64) {
      __pipeline_wait_prior(0);
      __syncthreads();
      copy_tile(stage ^ 1);
      {
        auto &knee = knee_stage[stage];
        auto &slope = slope_stage[stage];
        for (int k = 0; k < 64; ++k)
          yi += slope[k] * fmaxf(xi - knee[k], 0.f);
      }
      stage ^= 1;
    }

    // Epilogue: every copy has landed.
    __pipeline_wait_prior(0);
  }

  if (i < n) y[i] = yi;
}
