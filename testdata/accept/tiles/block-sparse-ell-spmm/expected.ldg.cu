// Block-sparse (blocked ELL) times dense: each block row holds a fixed number of 16x16 blocks and their column indices.
#include <cuda_runtime.h>

constexpr int BS = 16;

// pipelinify: launch bell_spmm
//   sizes    brows=1 slots=0,1,2,3,4,5 bcols=3 n=16
//   sizes    brows=2 slots=7 bcols=4 n=20
//   target   brows=256 slots=32 bcols=256 n=4096
//   grid     (n + 15) / 16, brows
//   block    16, 16
//   blocks:  in  [brows * slots * 256]
//   columns: in  [brows * slots]  below(bcols)
//   X:       in  [bcols * 16 * n]
//   Y:       out [brows * 16 * n]
//   slots:   slots
//   n:       n
__global__ void bell_spmm(const float *__restrict__ blocks, const int *__restrict__ columns,
                          const float *__restrict__ X, float *__restrict__ Y, int slots, int n)
{
  __shared__ float as_stage[2][BS][BS];
  __shared__ float xs_stage[2][BS][BS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * BS + tx;
  const int first = blockIdx.y * slots, last = first + slots;

  float y = 0.0f;
  // pipelinify: ldg, 2 stages, source 1153353f
  int p = first, stage = 0;
  if (p < last) {
    {
      const int bc = columns[p];
      as_stage[0][ty][tx] = blocks[p * BS * BS + ty * BS + tx];
      xs_stage[0][ty][tx] = col < n ? X[(bc * BS + ty) * n + col] : 0.0f;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++p; p < last; ++p) {
      const int bc = columns[p];
      float as_next = blocks[p * BS * BS + ty * BS + tx];
      float xs_next = col < n ? X[(bc * BS + ty) * n + col] : 0.0f;

      for (int k = 0; k < BS; ++k)
        y += as_stage[stage][ty][k] * xs_stage[stage][k][tx];
      stage ^= 1;
      as_stage[stage][ty][tx] = as_next;
      xs_stage[stage][ty][tx] = xs_next;
      __syncthreads();
    }
    for (int k = 0; k < BS; ++k)
      y += as_stage[stage][ty][k] * xs_stage[stage][k][tx];
  }

  if (col < n)
    Y[(blockIdx.y * BS + ty) * n + col] = y;
}
