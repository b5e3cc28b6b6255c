// A cautious author's GEMM: every phase is fenced by two barriers; fixed leading dimensions, three-dimensional block.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  __shared__ float A_shared_stage[2][8][8];
  __shared__ float B_shared_stage[2][8][8];

  const int i = threadIdx.y + blockIdx.y * blockDim.y;
  const int j = threadIdx.x + blockIdx.x * blockDim.x;
  const int z = blockIdx.z;

  float tmp = 0;
  // pipelinify: cp.async, 2 stages, source 09681645
  int step_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
  {
    if (step_load < k / 8)
    {
      __pipeline_memcpy_async(&A_shared_stage[load_stage][threadIdx.y][threadIdx.x],
                              &A[(z * n + i) * k + step_load * 8 + threadIdx.x], sizeof(float));
      __pipeline_memcpy_async(&B_shared_stage[load_stage][threadIdx.x][threadIdx.y],
                              &B[(z * k + step_load * 8 + threadIdx.y) * n + j], sizeof(float));
      step_load++;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int step = 0; step < k / 8; step++)
  {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int l = 0; l < 8; l++)
    {
      tmp += A_shared_stage[stage][threadIdx.y][l] * B_shared_stage[stage][threadIdx.x][l];
    }

    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  C[(z * n + i) * n + j] = tmp;
}
