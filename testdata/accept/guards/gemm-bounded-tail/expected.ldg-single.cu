// GEMM whose short last tile is bounded in the compute loop and not padded with zeros.
#include <cuda_runtime.h>

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
  __shared__ float As[16][BK + 1];
  __shared__ float Bs[BK][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  bool inRow = row < M;
  bool inCol = col < N;
  double sum = 0;

  // pipelinify: ldg-single, 1 stage, source b94c92b0
  int k0 = 0, k0_tile = k0;
  if (k0 < K)
  {
    auto compute_tile = [&]()
    {
      const int depth = lesser(BK, K - k0_tile);

      if (inRow && inCol)
      {
        for (int k = 0; k < depth; k++)
          sum += As[ty][k] * Bs[k][tx];
      }
    };
    {
      const int depth = lesser(BK, K - k0);
      if (tx < depth && inRow)
        As[ty][tx] = A[row * K + k0 + tx];
      if (ty < depth && inCol)
        Bs[ty][tx] = B[(k0 + ty) * N + col];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += BK; k0 < K; k0 += BK)
    {
      float As_next;
      float Bs_next;
      const int depth = lesser(BK, K - k0);
      if (tx < depth && inRow)
        As_next = A[row * K + k0 + tx];
      if (ty < depth && inCol)
        Bs_next = B[(k0 + ty) * N + col];
      compute_tile();
      k0_tile += BK;
      __syncthreads();
      if (tx < depth && inRow)
        As[ty][tx] = As_next;
      if (ty < depth && inCol)
        Bs[ty][tx] = Bs_next;
      __syncthreads();
    }
    compute_tile();
  }

  if (inRow && inCol)
    C[row * N + col] = (float)sum;
}
