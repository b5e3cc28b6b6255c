// Product with a K loop that runs until k0 == K; reports the columns consumed by each block.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

typedef long long i64;

// pipelinify: launch gemm_counted
//   sizes    M=8 N=16 K=0,16,32,48,64,80,144
//   sizes    M=24 N=32 K=48
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 8
//   block    16, 8
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   used:    out [(M / 8) * (N / 16)]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_counted(const float *A, const float *B, float *C, i64 *used, i64 M, i64 N, i64 K)
{
  __shared__ float a_stage[2][8][16];
  __shared__ float b_stage[2][16][16];

  const i64 row = blockIdx.y * 8 + threadIdx.y;
  const i64 col = blockIdx.x * 16 + threadIdx.x;
  const float *pa = A + row * K + threadIdx.x;
  const float *pb = B + threadIdx.y * N + col;

  float sum = 0.0f;
  i64 k0;
  // pipelinify: cp.async, 2 stages, source 96bd0444
  k0 = 0;
  i64 k0_load = k0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
  {
    if (k0_load != K)
    {
      __pipeline_memcpy_async(&a_stage[load_stage][threadIdx.y][threadIdx.x], pa, sizeof(float));
      __pipeline_memcpy_async(&b_stage[load_stage][threadIdx.y][threadIdx.x], pb, sizeof(float));
      __pipeline_memcpy_async(&b_stage[load_stage][threadIdx.y + 8][threadIdx.x], &pb[8 * N], sizeof(float));
      pa += 16;
      pb += 16 * N;
      k0_load += 16;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  int stage = 0;
  // Main loop: 1 tile is in flight while computing on one.
  for (; k0 != K; k0 += 16)
  {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int k = 0; k < 16; ++k)
      sum += a_stage[stage][threadIdx.y][k] * b_stage[stage][k][threadIdx.x];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  C[row * N + col] = sum;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    used[blockIdx.y * gridDim.x + blockIdx.x] = k0 + (pa - A) - row * K;
}
