#include <cuda_runtime.h>

#define WIDTH 64

// Each thread's energy against its neighbour's; the exchange has barriers of its own.
__device__ __forceinline__ float neighbour_of(float own, float (&exchange)[WIDTH])
{
  exchange[threadIdx.x] = own;
  __syncthreads();
  const float other = exchange[threadIdx.x ^ 1];
  __syncthreads();
  return other;
}

__device__ void absorb(const float (&frame)[WIDTH], float (&exchange)[WIDTH], float gain, float &level)
{
  float energy = 0.0f;
  for (int i = 0; i < WIDTH; ++i)
    energy += frame[i] * frame[(i + threadIdx.x) % WIDTH];
  level = level * gain + fmaxf(energy, neighbour_of(energy, exchange));
}

// Smoothed autocorrelation of a recording, a lag a thread.
// pipelinify: launch lag_levels
//   sizes  tracks=1,2 frames=0,1,2,3,4,5,9,16
//   target tracks=2048 frames=400
//   grid   tracks
//   block  WIDTH
//   let    WIDTH = 64
//   pcm:    in  [tracks * frames * WIDTH] range(-1, 1)
//   levels: out [tracks * WIDTH]
//   frames: frames
//   gain:   0.75
__global__ void lag_levels(const float *__restrict__ pcm, float *__restrict__ levels, int frames, float gain)
{
  __shared__ float frame_stage[2][WIDTH];
  __shared__ float exchange[WIDTH];
  const float *track = pcm + (size_t)blockIdx.x * frames * WIDTH;
  float level = 0.0f;

  // pipelinify: ldg, 2 stages, source 2dbb5012
  int f = 0, stage = 0;
  if (f < frames) {
    frame_stage[0][threadIdx.x] = track[f * WIDTH + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++f; f < frames; ++f) {
      float frame_next = track[f * WIDTH + threadIdx.x];
      absorb(frame_stage[stage], exchange, gain, level);
      stage ^= 1;
      frame_stage[stage][threadIdx.x] = frame_next;
      __syncthreads();
    }
    absorb(frame_stage[stage], exchange, gain, level);
    __syncthreads();
  }
  levels[blockIdx.x * WIDTH + threadIdx.x] = level;
}
