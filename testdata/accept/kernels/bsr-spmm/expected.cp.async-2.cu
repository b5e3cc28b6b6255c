// Block-sparse (BSR) matrix times dense matrix: the block column gathered from memory picks the dense tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BS 16

// pipelinify: launch bsr_spmm
//   sizes  brows=1,3 bcols=4 nnzb=1,2,3,4,5,9 n=16
//   sizes  brows=6 bcols=2 nnzb=12 n=25
//   target brows=512 bcols=512 nnzb=32768 n=512
//   grid   brows, (n + 15) / 16
//   block  16, 16
//   rowptr: in  [brows + 1] below(nnzb + 1)
//   cols:   in  [nnzb] below(bcols)
//   values: in  [nnzb * 256] random
//   dense:  in  [bcols * 16 * n] random
//   result: out [brows * 16 * n]
//   n:      n
//   work   flops 2 * nnzb * 256 * n
__global__ void bsr_spmm(const int* rowptr, const int* cols, const float* values,
                         const float* dense, float* result, int n) {
  __shared__ float a_stage[2][BS][BS];
  __shared__ float x_stage[2][BS][BS + 1];

  int b = blockIdx.x;
  int j = blockIdx.y * BS + threadIdx.x;
  int i = threadIdx.y;
  float acc = 0.0f;

  // pipelinify: cp.async, 2 stages, source 89ab9ef8
  int p = rowptr[b], p_load = p, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (p_load < rowptr[b + 1]) {
      int col = cols[p_load];
      __pipeline_memcpy_async(&a_stage[load_stage][i][threadIdx.x], &values[(p_load * BS + i) * BS + threadIdx.x],
                              sizeof(float));
      __pipeline_memcpy_async(&x_stage[load_stage][i][threadIdx.x], &dense[(col * BS + i) * n + j], sizeof(float),
                              (j < n) ? 0 : sizeof(float));
      ++p_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (; p < rowptr[b + 1]; ++p) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
#pragma unroll
    for (int k = 0; k < BS; ++k) acc += a_stage[stage][i][k] * x_stage[stage][k][threadIdx.x];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  if (j < n) result[(b * BS + i) * n + j] = acc;
}
