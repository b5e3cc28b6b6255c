// Monotone table lookup: warp 0 alone copies a tile of breakpoints and slopes, all warps sum the hinge functions.
#include <cuda_runtime.h>

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
  __shared__ float knee[64];
  __shared__ float slope[64];

  const int  lane    = threadIdx.x & 31;
  const bool loading = threadIdx.x < warpSize;   // warp 0
  const int  i       = blockIdx.x * blockDim.x + threadIdx.x;
  const float xi     = i < n ? x[i] : 0.f;
  float yi           = 0.f;

  // pipelinify: ldg-single, 1 stage, source fef612b8
  int h = 0;
  if (h < hinges) {
    if (loading) {
      knee[lane]       = knees[h + lane];
      knee[lane + 32]  = knees[h + lane + 32];
      slope[lane]      = slopes[h + lane];
      slope[lane + 32] = slopes[h + lane + 32];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (h += 64; h < hinges; h += 64) {
      float knee_next;
      float knee_next2;
      float slope_next;
      float slope_next2;
      if (loading) {
        knee_next = knees[h + lane];
        knee_next2 = knees[h + lane + 32];
        slope_next = slopes[h + lane];
        slope_next2 = slopes[h + lane + 32];
      }

      for (int k = 0; k < 64; ++k)
        yi += slope[k] * fmaxf(xi - knee[k], 0.f);
      __syncthreads();
      if (loading) {
        knee[lane] = knee_next;
        knee[lane + 32] = knee_next2;
        slope[lane] = slope_next;
        slope[lane + 32] = slope_next2;
      }
      __syncthreads();
    }
    for (int k = 0; k < 64; ++k)
      yi += slope[k] * fmaxf(xi - knee[k], 0.f);
  }

  if (i < n) y[i] = yi;
}
