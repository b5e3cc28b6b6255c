// 32x32 tiled SGEMM: every dimension must be a multiple of 32.

#include <cuda_pipeline.h>

// pipelinify: launch matmul32
//   sizes    M=32 N=32 K=0,32,64,96,128,160
//   sizes    M=64 N=32 K=96
//   sizes    M=32 N=64 K=64
//   target   M=4096 N=4096 K=4096
//   grid     N / 32, M / 32
//   block    32, 32
//   C:       out   [M * N]
//   A:       in    [M * K]  range(-1, 1)
//   B:       in    [K * N]  range(-1, 1)
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
//   work     bytes 4 * (M * K + K * N + M * N)
__global__ void __launch_bounds__(1024)
matmul32(float* __restrict__ C, const float* __restrict__ A, const float* __restrict__ B,
         int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float tileA_stage[2][T][T];
  __shared__ float tileB_stage[2][T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int m = blockIdx.y * T + y;
  const int n = blockIdx.x * T + x;

  float acc = 0.f;
  // pipelinify: cp.async, 2 stages, source 0ee4ed37
  int k0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k0_load < K) {
      __pipeline_memcpy_async(&tileA_stage[load_stage][y][x], &A[m * K + (k0_load + x)],
                              sizeof(float));
      __pipeline_memcpy_async(&tileB_stage[load_stage][y][x], &B[(k0_load + y) * N + n],
                              sizeof(float));
      k0_load += T;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int k0 = 0; k0 < K; k0 += T) {
    __pipeline_wait_prior(0);
    __syncthreads();   // the tiles are complete
    copy_tile(stage ^ 1);

#pragma unroll
    for (int k = 0; k < T; ++k) {
      acc = fmaf(tileA_stage[stage][y][k], tileB_stage[stage][k][x], acc);
    }

    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  C[m * N + n] = acc;
}

void run_matmul32(float *C, const float *A, const float *B, int M, int N, int K)
{
  dim3 block(32, 32);
  dim3 grid(N / 32, M / 32);
  matmul32<<<grid, block>>>(C, A, B, M, N, K);
}
