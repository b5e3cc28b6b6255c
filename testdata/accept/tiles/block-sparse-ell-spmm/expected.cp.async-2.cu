// Block-sparse (blocked ELL) times dense: each block row holds a fixed number of 16x16 blocks and their column indices.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  // pipelinify: cp.async, 2 stages, source 1153353f
  int p_load = first, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (p_load < last) {
      const int bc = columns[p_load];
      __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], &blocks[p_load * BS * BS + ty * BS + tx], sizeof(float));
      __pipeline_memcpy_async(&xs_stage[load_stage][ty][tx], &X[(bc * BS + ty) * n + col], sizeof(float),
                              (col < n) ? 0 : sizeof(float));
      ++p_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int p = first; p < last; ++p) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int k = 0; k < BS; ++k)
      y += as_stage[stage][ty][k] * xs_stage[stage][k][tx];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  if (col < n)
    Y[(blockIdx.y * BS + ty) * n + col] = y;
}
