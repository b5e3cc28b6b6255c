// One-dimensional convolution over channels: a tile with halo and the filter taps are loaded for every input channel.

#include <cuda_pipeline.h>

template<int WIDTH, int RADIUS>
struct Conv1d {
  static constexpr int taps = 2 * RADIUS + 1;
  static constexpr int span = WIDTH + 2 * RADIUS;
};

// pipelinify: launch conv1d_channels<64, 3>
//   sizes  channels=0,1,2,3,4,5,9 length=100 outs=2
//   sizes  channels=6 length=1,64,65,131 outs=1
//   target channels=256 length=4096 outs=256
//   grid   (length + 63) / 64, outs
//   block  64
//   signal: in  [channels * length] random
//   filter: in  [outs * channels * 7] random
//   bias:   in  [outs] random
//   result: out [outs * length]
//   channels: channels
//   length:  length
//   work   flops 2 * outs * channels * length * 7
template<int WIDTH, int RADIUS>
__global__ void conv1d_channels(const float* __restrict__ signal,
                                const float* __restrict__ filter,
                                const float* __restrict__ bias,
                                float* __restrict__ result,
                                int channels, int length) {
  using S = Conv1d<WIDTH, RADIUS>;
  __shared__ float window_stage[2][S::span];
  __shared__ float tap_stage[2][S::taps];

  const int lane = threadIdx.x;
  const int out = blockIdx.y;
  const int start = blockIdx.x * WIDTH - RADIUS;
  float acc = bias[out];

  // pipelinify: cp.async, 2 stages, source 0c0f9d64
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < channels) {
      const float* row = signal + c_load * length;
      int at = start + lane;
      __pipeline_memcpy_async(&window_stage[load_stage][lane], &row[at], sizeof(float),
                              (at >= 0 && at < length) ? 0 : sizeof(float));
      if (lane < 2 * RADIUS) {
        // right end of the halo
        at += WIDTH;
        __pipeline_memcpy_async(&window_stage[load_stage][lane + WIDTH], &row[at], sizeof(float),
                                (at < length) ? 0 : sizeof(float));
      }
      if (lane < S::taps)
        __pipeline_memcpy_async(&tap_stage[load_stage][lane], &filter[(out * channels + c_load) * S::taps + lane],
                                sizeof(float));
      ++c_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int c = 0; c < channels; ++c) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

#pragma unroll
    for (int k = 0; k < S::taps; ++k)
      acc += window_stage[stage][lane + k] * tap_stage[stage][k];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  const int pos = blockIdx.x * WIDTH + lane;
  if (pos < length) result[out * length + pos] = acc;
}

template __global__ void conv1d_channels<64, 3>(const float*, const float*, const float*, float*, int, int);
