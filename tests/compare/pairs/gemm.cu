#define TILE 16
// pipelinify: launch gemm
//   sizes M=16,33 N=40 K=0,7,48
//   grid  (N + 15) / 16, (M + 15) / 16
//   block 16, 16
//   A:    in  [M * K]
//   B:    in  [K * N]
//   C:    out [M * N]
//   M:    M
//   N:    N
//   K:    K
static __device__ float at(const float *m, int r, int c, int rows, int cols) {
  return r < rows && c < cols ? m[r * cols + c] : 0.f;
}
__global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k += TILE) {
    As[threadIdx.y][threadIdx.x] = at(A, r, k + threadIdx.x, M, K);
    Bs[threadIdx.y][threadIdx.x] = at(B, k + threadIdx.y, c, K, N);
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum = fmaf(As[threadIdx.y][i], Bs[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (r < M && c < N)
    C[r * N + c] = sum;
}
