// GEMM whose short last tile is bounded in the compute loop and not padded with zeros.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T> __device__ T lesser(T a, T b) { return a < b ? a : b; }

// pipelinify: launch gemm_bounded
//   sizes    M=16 N=16 K=0,1,11,12,13,24,36,48,60,64
//   sizes    M=9 N=37 K=31
//   target   M=2048 N=2048 K=2050
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_bounded(const float *A, const float *B, float *C, int M, int N, int K)
{
  constexpr int BK = 12;
  __shared__ float As_stage[2][16][BK + 1];
  __shared__ float Bs_stage[2][BK][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  bool inRow = row < M;
  bool inCol = col < N;
  double sum = 0;

  // pipelinify: cp.async, 2 stages, source b94c92b0
  int k0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
  {
    if (k0_load < K)
    {
      const int depth = lesser(BK, K - k0_load);
      if (tx < depth && inRow)
        __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + k0_load + tx],
                                sizeof(float));
      if (ty < depth && inCol)
        __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col],
                                sizeof(float));
      k0_load += BK;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int k0 = 0; k0 < K; k0 += BK)
  {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    const int depth = lesser(BK, K - k0);

    if (inRow && inCol)
    {
      for (int k = 0; k < depth; k++)
        sum += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
    }
    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  if (inRow && inCol)
    C[row * N + col] = (float)sum;
}
