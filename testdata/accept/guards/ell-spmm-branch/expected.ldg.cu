// Blocked ELLPACK with padding: a slot whose column is negative has no block, and the whole body stands in the branch.
#include <cuda_runtime.h>

#define B 16

// pipelinify: launch ell_branch
//   sizes  brows=1,4 width=0,1,2,3,4,9 n=16,25
//   target brows=512 width=48 n=512
//   grid   (n + 15) / 16, brows
//   block  16, 16
//   cols:   in  [brows * width] range(-3, 3)
//   values: in  [brows * width * 256]
//   x:      in  [4 * 16 * n]
//   y:      out [brows * 16 * n]
//   used:   out [brows * 16 * n]
//   width:  width
//   n:      n
__global__ void ell_branch(const int* __restrict__ cols, const float* __restrict__ values,
                           const float* __restrict__ x, float* __restrict__ y,
                           int* __restrict__ used, int width, int n)
{
  __shared__ float vs_stage[2][B][B + 1];
  __shared__ float xs_stage[2][B][B];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * B + tx;
  const float* block = values + (size_t)blockIdx.y * width * B * B;
  float acc = 0.f;
  int taken = 0;
  int slot = 0;

  // pipelinify: ldg, 2 stages, source 0b221c73
  bool more = false;
  while (slot < width) {
    const int bc = cols[blockIdx.y * width + slot];   // the same for the block
    if (bc >= 0) {
      more = true;
      break;
    }
    ++slot;
    block += B * B;
  }
  int slot_tile = slot;
  if (more) {
    int stage = 0;
    auto compute_tile = [&]() {
      auto &slot = slot_tile;
#pragma unroll
      for (int k = 0; k < B; ++k) acc += vs_stage[stage][ty][k] * xs_stage[stage][k][tx];
      taken += slot + 1;
    };
    {
      const int bc = cols[blockIdx.y * width + slot];   // the same for the block
      // a block of values, and the rows of x that it meets
      vs_stage[0][ty][tx] = block[ty * B + tx];
      xs_stage[0][ty][tx] = col < n ? x[(bc * B + ty) * n + col] : 0.f;
      ++slot;
      block += B * B;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (true) {
      more = false;
      while (slot < width) {
        const int bc = cols[blockIdx.y * width + slot];   // the same for the block
        if (bc >= 0) {
          more = true;
          break;
        }
        ++slot;
        block += B * B;
      }
      if (!more)
        break;
      int slot_next = slot;
      const int bc = cols[blockIdx.y * width + slot];   // the same for the block
      // a block of values, and the rows of x that it meets
      float vs_next = block[ty * B + tx];
      float xs_next = col < n ? x[(bc * B + ty) * n + col] : 0.f;
      compute_tile();
      slot_tile = slot_next;
      stage ^= 1;
      vs_stage[stage][ty][tx] = vs_next;
      xs_stage[stage][ty][tx] = xs_next;
      ++slot;
      block += B * B;
      __syncthreads();
    }
    compute_tile();
  }

  if (col < n) {
    y[(blockIdx.y * B + ty) * n + col] = acc;
    used[(blockIdx.y * B + ty) * n + col] = taken * 100 + slot;
  }
}
