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
  __shared__ float vs[B][B + 1];
  __shared__ float xs[B][B];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * B + tx;
  const float* block = values + (size_t)blockIdx.y * width * B * B;
  float acc = 0.f;
  int taken = 0;
  int slot = 0;

  while (slot < width) {
    const int bc = cols[blockIdx.y * width + slot];   // the same for the block
    if (bc >= 0) {
      // a block of values, and the rows of x that it meets
      vs[ty][tx] = block[ty * B + tx];
      xs[ty][tx] = col < n ? x[(bc * B + ty) * n + col] : 0.f;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < B; ++k) acc += vs[ty][k] * xs[k][tx];
      taken += slot + 1;
      __syncthreads();
    }
    ++slot;
    block += B * B;
  }

  if (col < n) {
    y[(blockIdx.y * B + ty) * n + col] = acc;
    used[(blockIdx.y * B + ty) * n + col] = taken * 100 + slot;
  }
}
