// Block-sparse (BSR) matrix times dense matrix: the block column gathered from memory picks the dense tile.
#include <cuda_runtime.h>

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
  __shared__ float a[BS][BS];
  __shared__ float x[BS][BS + 1];

  int b = blockIdx.x;
  int j = blockIdx.y * BS + threadIdx.x;
  int i = threadIdx.y;
  float acc = 0.0f;

  // pipelinify: ldg-single, 1 stage, source 89ab9ef8
  int p = rowptr[b];
  if (p < rowptr[b + 1]) {
    {
      int col = cols[p];
      a[i][threadIdx.x] = values[(p * BS + i) * BS + threadIdx.x];
      x[i][threadIdx.x] = j < n ? dense[(col * BS + i) * n + j] : 0.0f;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++p; p < rowptr[b + 1]; ++p) {
      int col = cols[p];
      float a_next = values[(p * BS + i) * BS + threadIdx.x];
      float x_next = j < n ? dense[(col * BS + i) * n + j] : 0.0f;
#pragma unroll
      for (int k = 0; k < BS; ++k) acc += a[i][k] * x[k][threadIdx.x];
      __syncthreads();
      a[i][threadIdx.x] = a_next;
      x[i][threadIdx.x] = x_next;
      __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < BS; ++k) acc += a[i][k] * x[k][threadIdx.x];
  }

  if (j < n) result[(b * BS + i) * n + j] = acc;
}
