// Depthwise 3x3 convolution: the block walks over the channels, an image patch with halo per channel, one output plane a trip.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TX 16
#define TY 8
#define PW (TX + 2)
#define PH (TY + 2)

// pipelinify: launch depthwise3x3
//   sizes  ch=0,1,2,3,4,5,8 h=8 w=16
//   sizes  ch=3 h=1,11 w=1,19
//   target ch=256 h=512 w=512
//   grid   (w + 15) / 16, (h + 7) / 8
//   block  16, 8
//   src:   in  [ch * h * w] random
//   ker:   in  [ch * 9] random
//   dst:   out [ch * h * w]
//   ch:    ch
//   h:     h
//   w:     w
//   work   bytes 8 * ch * h * w
__global__ void depthwise3x3(const float* __restrict__ src, const float* __restrict__ ker,
                             float* __restrict__ dst, int ch, int h, int w)
{
  __shared__ float patch_stage[2][PH][PW];

  const int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  const int tid = threadIdx.y * TX + threadIdx.x;

  // pipelinify: cp.async, 2 stages, source 0d76ccdb
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < ch) {
      const float* plane = src + (size_t)c_load * h * w;

      for (int e = tid; e < PH * PW; e += TX * TY) {
        const int py = e / PW, px = e - py * PW;
        const int gy = y0 + py - 1, gx = x0 + px - 1;
        __pipeline_memcpy_async(&patch_stage[load_stage][py][px], &plane[gy * w + gx], sizeof(float),
                                (gy >= 0 && gy < h && gx >= 0 && gx < w) ? 0 : sizeof(float));
      }
      ++c_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int c = 0; c < ch; ++c) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    float sum = 0.f;
    for (int dy = 0; dy < 3; ++dy)
      for (int dx = 0; dx < 3; ++dx)
        sum += patch_stage[stage][threadIdx.y + dy][threadIdx.x + dx] * ker[c * 9 + dy * 3 + dx];
    if (x < w && y < h)
      dst[((size_t)c * h + y) * w + x] = sum;
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
}
