// A cautious author's GEMM: every phase is fenced by two barriers; fixed leading dimensions, three-dimensional block.
#include <cuda_runtime.h>

// pipelinify: launch gemm_cautious
//   sizes    batch=1,2 n=8 k=0,8,16,24,32,40
//   sizes    batch=3 n=16 k=56
//   target   batch=16 n=1024 k=1024
//   grid     n / 8, n / 8, batch
//   block    8, 8, 1
//   A:       in  [batch * n * k]
//   B:       in  [batch * k * n]
//   C:       out [batch * n * n]
//   n:       n
//   k:       k
__global__ void gemm_cautious(const float *A, const float *B, float *C, const int n, const int k)
{
  __shared__ float A_shared[8][8];
  __shared__ float B_shared[8][8];

  const int i = threadIdx.y + blockIdx.y * blockDim.y;
  const int j = threadIdx.x + blockIdx.x * blockDim.x;
  const int z = blockIdx.z;

  float tmp = 0;
  // pipelinify: ldg-single, 1 stage, source 09681645
  int step = 0;
  if (step < k / 8)
  {
    A_shared[threadIdx.y][threadIdx.x] = A[(z * n + i) * k + step * 8 + threadIdx.x];
    B_shared[threadIdx.x][threadIdx.y] = B[(z * k + step * 8 + threadIdx.y) * n + j];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (step++; step < k / 8; step++)
    {
      float A_shared_next = A[(z * n + i) * k + step * 8 + threadIdx.x];
      float B_shared_next = B[(z * k + step * 8 + threadIdx.y) * n + j];

      for (int l = 0; l < 8; l++)
      {
        tmp += A_shared[threadIdx.y][l] * B_shared[threadIdx.x][l];
      }

      __syncthreads();
      A_shared[threadIdx.y][threadIdx.x] = A_shared_next;
      B_shared[threadIdx.x][threadIdx.y] = B_shared_next;
      __syncthreads();
    }
    for (int l = 0; l < 8; l++)
    {
      tmp += A_shared[threadIdx.y][l] * B_shared[threadIdx.x][l];
    }
  }
  C[(z * n + i) * n + j] = tmp;
}
