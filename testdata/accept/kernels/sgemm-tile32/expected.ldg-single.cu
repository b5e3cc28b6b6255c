// 32x32 tiled SGEMM: every dimension must be a multiple of 32.

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
  __shared__ float tileA[T][T];
  __shared__ float tileB[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int m = blockIdx.y * T + y;
  const int n = blockIdx.x * T + x;

  float acc = 0.f;
  // pipelinify: ldg-single, 1 stage, source 0ee4ed37
  int k0 = 0;
  if (k0 < K) {
    tileA[y][x] = A[m * K + (k0 + x)];
    tileB[y][x] = B[(k0 + y) * N + n];
    __syncthreads();   // the tiles are complete
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += T; k0 < K; k0 += T) {
      float tileA_next = A[m * K + (k0 + x)];
      float tileB_next = B[(k0 + y) * N + n];

#pragma unroll
      for (int k = 0; k < T; ++k) {
        acc = fmaf(tileA[y][k], tileB[k][x], acc);
      }

      __syncthreads();   // nobody reads them any more
      tileA[y][x] = tileA_next;
      tileB[y][x] = tileB_next;
      __syncthreads();   // the tiles are complete
    }
#pragma unroll
    for (int k = 0; k < T; ++k) {
      acc = fmaf(tileA[y][k], tileB[k][x], acc);
    }
  }

  C[m * N + n] = acc;
}

void run_matmul32(float *C, const float *A, const float *B, int M, int N, int K)
{
  dim3 block(32, 32);
  dim3 grid(N / 32, M / 32);
  matmul32<<<grid, block>>>(C, A, B, M, N, K);
}
