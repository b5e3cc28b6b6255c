// Depthwise 3x3 convolution: the block walks over the channels, an image patch with halo per channel, one output plane a trip.
#include <cuda_runtime.h>

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
  __shared__ float patch[PH][PW];

  const int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  const int tid = threadIdx.y * TX + threadIdx.x;

  // pipelinify: ldg-single, 1 stage, source 0d76ccdb
  int c = 0, c_tile = c;
  if (c < ch) {
    auto compute_tile = [&]() {
      float sum = 0.f;
      for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
          sum += patch[threadIdx.y + dy][threadIdx.x + dx] * ker[c_tile * 9 + dy * 3 + dx];
      if (x < w && y < h)
        dst[((size_t)c_tile * h + y) * w + x] = sum;
    };
    {
      const float* plane = src + (size_t)c * h * w;

      for (int e = tid; e < PH * PW; e += TX * TY) {
        const int py = e / PW, px = e - py * PW;
        const int gy = y0 + py - 1, gx = x0 + px - 1;
        float v = 0.f;
        if (gy >= 0 && gy < h && gx >= 0 && gx < w)
          v = plane[gy * w + gx];
        patch[py][px] = v;
      }
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++c; c < ch; ++c) {
      float patch_next[(PH * PW + TX * TY - 1) / (TX * TY)];
      const float* plane = src + (size_t)c * h * w;

      #pragma unroll
      for (int slot = 0; slot < (PH * PW + TX * TY - 1) / (TX * TY); ++slot) {
        int e = tid + slot * (TX * TY);
        if (e < PH * PW) {
          const int py = e / PW, px = e - py * PW;
          const int gy = y0 + py - 1, gx = x0 + px - 1;
          float v = 0.f;
          if (gy >= 0 && gy < h && gx >= 0 && gx < w)
            v = plane[gy * w + gx];
          patch_next[slot] = v;
        }
      }
      compute_tile();
      ++c_tile;
      __syncthreads();
      #pragma unroll
      for (int slot = 0; slot < (PH * PW + TX * TY - 1) / (TX * TY); ++slot) {
        int e = tid + slot * (TX * TY);
        if (e < PH * PW) {
          const int py = e / PW, px = e - py * PW;
          patch[py][px] = patch_next[slot];
        }
      }
      __syncthreads();
    }
    compute_tile();
  }
}
