// One-dimensional convolution over channels: a tile with halo and the filter taps are loaded for every input channel.

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
  __shared__ float window[S::span];
  __shared__ float tap[S::taps];

  const int lane = threadIdx.x;
  const int out = blockIdx.y;
  const int start = blockIdx.x * WIDTH - RADIUS;
  float acc = bias[out];

  // pipelinify: ldg-single, 1 stage, source 0c0f9d64
  int c = 0;
  if (c < channels) {
    {
      const float* row = signal + c * length;
      int at = start + lane;
      window[lane] = (at >= 0 && at < length) ? row[at] : 0.f;
      if (lane < 2 * RADIUS) {                 // right end of the halo
        at += WIDTH;
        window[lane + WIDTH] = (at < length) ? row[at] : 0.f;
      }
      if (lane < S::taps)
        tap[lane] = filter[(out * channels + c) * S::taps + lane];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++c; c < channels; ++c) {
      float window_next2;
      float tap_next;
      const float* row = signal + c * length;
      int at = start + lane;
      float window_next = (at >= 0 && at < length) ? row[at] : 0.f;
      if (lane < 2 * RADIUS) {
        // right end of the halo
        at += WIDTH;
        window_next2 = (at < length) ? row[at] : 0.f;
      }
      if (lane < S::taps)
        tap_next = filter[(out * channels + c) * S::taps + lane];

#pragma unroll
      for (int k = 0; k < S::taps; ++k)
        acc += window[lane + k] * tap[k];
      __syncthreads();
      {
        window[lane] = window_next;
        if (lane < 2 * RADIUS) {
          window[lane + WIDTH] = window_next2;
        }
        if (lane < S::taps)
          tap[lane] = tap_next;
      }
      __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < S::taps; ++k)
      acc += window[lane + k] * tap[k];
  }

  const int pos = blockIdx.x * WIDTH + lane;
  if (pos < length) result[out * length + pos] = acc;
}

template __global__ void conv1d_channels<64, 3>(const float*, const float*, const float*, float*, int, int);
