#define T 16
// pipelinify: launch gemm
//   sizes    n=16,64
//   target   n=4096
//   grid     n / 16, n / 16
//   block    16, 16
//   C:       out [n * n]
//   A:       in [n * n]
//   B:       in [n * n]
//   n:       n
__global__ void gemm(float *__restrict__ C, const float *__restrict__ A,
                     const float *__restrict__ B, int n) {
  __shared__ float As[T][T], Bs[T][T];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    As[y][x] = A[(blockIdx.y * T + y) * n + k + x];
    Bs[y][x] = B[(k + y) * n + blockIdx.x * T + x];
    __syncthreads();
    for (int i = 0; i < T; i++)
      sum += As[y][i] * Bs[i][x];
    __syncthreads();
  }
  C[(blockIdx.y * T + y) * n + blockIdx.x * T + x] = sum;
}
