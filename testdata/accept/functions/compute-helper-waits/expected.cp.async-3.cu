#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float frame_stage[stages][WIDTH];
  __shared__ float exchange[WIDTH];
  const float *track = pcm + (size_t)blockIdx.x * frames * WIDTH;
  float level = 0.0f;

  // pipelinify: cp.async, 3 stages, source 2dbb5012
  int f_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (f_load < frames) {
      __pipeline_memcpy_async(&frame_stage[load_stage][threadIdx.x], &track[f_load * WIDTH + threadIdx.x],
                              sizeof(float));
      ++f_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int f = 0; f < frames; ++f) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    absorb(frame_stage[stage], exchange, gain, level);
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  levels[blockIdx.x * WIDTH + threadIdx.x] = level;
}
