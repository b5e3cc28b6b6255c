// Windows of a signal against a bank of filters. The signal's pointer runs from begin to end; samples are
// 16-bit and widened, coefficients are copied. Compute needs the position as well: the window's weight.
#include <cuda_runtime.h>

namespace bank {

constexpr int kTaps = 32;
constexpr int kFilters = 32;

// pipelinify: launch bank::respond
//   sizes  taps=0,32,64,96,160 windows=1,3
//   target taps=2048 windows=4096
//   grid   windows
//   block  32, 4
//   signal: in  [windows * taps + 32] random
//   filters: in [taps * 32] random
//   out:   out [windows * 128]
//   taps:  taps
//   work   flops 10 * taps * windows * 32
__global__ void respond(const short *__restrict__ signal, const float *__restrict__ filters, float *__restrict__ out,
                        int taps)
{
  __shared__ float samples_stage[2][kTaps], coefficients_stage[2][kTaps][kFilters];
  const short *const last = signal + (blockIdx.x + 1) * taps;
  const short *at = signal + blockIdx.x * taps;
  float response = 0.0f;
  unsigned position = 0;

  // pipelinify: ldg, 2 stages, source ef7eed55
  const float *row = filters;
  if (at != last)
  {
    int stage = 0;
    auto compute_tile = [&]()
    {
      for (int k = threadIdx.y; k < kTaps; k += 4)
      {
        const float weight = 1.0f / static_cast<float>(1 + position + k);
        response += weight * samples_stage[stage][k] * coefficients_stage[stage][k][threadIdx.x];
      }
      position += kTaps;
    };
    if (threadIdx.y == 0)
      samples_stage[0][threadIdx.x] = static_cast<float>(at[threadIdx.x]);
    for (int k = threadIdx.y; k < kTaps; k += 4)
      coefficients_stage[0][k][threadIdx.x] = __ldg(row + k * kFilters + threadIdx.x);
    at += kTaps, row += kTaps * kFilters;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (; at != last; at += kTaps, row += kTaps * kFilters)
    {
      short samples_next;
      float coefficients_next[kTaps / 4];
      if (threadIdx.y == 0)
        samples_next = at[threadIdx.x];
      #pragma unroll
      for (int slot = 0; slot < kTaps / 4; ++slot)
      {
        int k = threadIdx.y + slot * 4;
        if (k < kTaps)
          coefficients_next[slot] = __ldg(row + k * kFilters + threadIdx.x);
      }
      compute_tile();
      stage ^= 1;
      if (threadIdx.y == 0)
        samples_stage[stage][threadIdx.x] = static_cast<float>(samples_next);
      #pragma unroll
      for (int slot = 0; slot < kTaps / 4; ++slot)
      {
        int k = threadIdx.y + slot * 4;
        if (k < kTaps)
          coefficients_stage[stage][k][threadIdx.x] = coefficients_next[slot];
      }
      __syncthreads();
    }
    compute_tile();
  }

  out[(blockIdx.x * 4 + threadIdx.y) * kFilters + threadIdx.x] = response + static_cast<float>(last - at);
}

}  // namespace bank
