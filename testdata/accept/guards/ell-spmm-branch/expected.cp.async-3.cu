// Blocked ELLPACK with padding: a slot whose column is negative has no block, and the whole body stands in the branch.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float vs_stage[stages][B][B + 1];
  __shared__ float xs_stage[stages][B][B];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * B + tx;
  const float* block = values + (size_t)blockIdx.y * width * B * B;
  float acc = 0.f;
  int taken = 0;
  int slot = 0;

  // pipelinify: cp.async, 3 stages, source 0b221c73
  int slot_load = slot, stage = 0;
  auto block_load = block;
  bool more = true;
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage) {
    auto &slot = slot_load;
    auto &block = block_load;
    if (more) {
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
    }
    if (more) {
      const int bc = cols[blockIdx.y * width + slot];   // the same for the block
      // a block of values, and the rows of x that it meets
      __pipeline_memcpy_async(&vs_stage[load_stage][ty][tx], &block[ty * B + tx], sizeof(float));
      __pipeline_memcpy_async(&xs_stage[load_stage][ty][tx], &x[(bc * B + ty) * n + col], sizeof(float),
                              (col < n) ? 0 : sizeof(float));
      ++slot;
      block += B * B;
    }
    __pipeline_commit();
  }
  // Main loop: stages - 1 tiles are in flight while computing on one.
  while (slot < width) {
    const int bc = cols[blockIdx.y * width + slot];   // the same for the block
    if (bc >= 0) {
      __pipeline_wait_prior(stages - 2);
      __syncthreads();
      {
        auto &slot = slot_load;
        auto &block = block_load;
        if (more) {
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
        }
        if (more) {
          int load_stage = stage == 0 ? stages - 1 : stage - 1;
          const int bc = cols[blockIdx.y * width + slot];   // the same for the block
          // a block of values, and the rows of x that it meets
          __pipeline_memcpy_async(&vs_stage[load_stage][ty][tx], &block[ty * B + tx], sizeof(float));
          __pipeline_memcpy_async(&xs_stage[load_stage][ty][tx], &x[(bc * B + ty) * n + col], sizeof(float),
                                  (col < n) ? 0 : sizeof(float));
          ++slot;
          block += B * B;
        }
      }
      __pipeline_commit();
#pragma unroll
      for (int k = 0; k < B; ++k) acc += vs_stage[stage][ty][k] * xs_stage[stage][k][tx];
      taken += slot + 1;
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    ++slot;
    block += B * B;
  }
  __pipeline_wait_prior(0);

  if (col < n) {
    y[(blockIdx.y * B + ty) * n + col] = acc;
    used[(blockIdx.y * B + ty) * n + col] = taken * 100 + slot;
  }
}
