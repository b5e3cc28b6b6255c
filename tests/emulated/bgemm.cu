// Batched tiled product: an outer loop over the batch around the K-loop.
#include <cuda_runtime.h>

#define T 16

// pipelinify: launch bgemm
//   sizes  M=17 N=16 K=0,1,16,17,33,48,64 B=3
//   sizes  M=16 N=20 K=32,80 B=2
//   grid   (N + 15) / 16, (M + 15) / 16
//   block  16, 16
//   A: in [B * M * K]
//   Bm: in [B * K * N]
//   C: inout [B * M * N]
//   M: M
//   N: N
//   K: K
//   B: B
__global__ void bgemm(const float *A, const float *Bm, float *C, int M, int N,
                      int K, int B) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  for (int b = 0; b < B; b++) {
    const float *a = A + (size_t)b * M * K, *bb = Bm + (size_t)b * K * N;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
      As[y][x] = row < M && k0 + x < K ? a[row * K + k0 + x] : 0.f;
      Bs[y][x] = k0 + y < K && col < N ? bb[(k0 + y) * N + col] : 0.f;
      __syncthreads();
      for (int k = 0; k < T; k++)
        sum += As[y][k] * Bs[k][x];
      __syncthreads();
    }
    if (row < M && col < N)
      C[((size_t)b * M + row) * N + col] += sum;
  }
}

int main() {
  float *a = nullptr;
  dim3 grid(1, 1), block(T, T);
  bgemm<<<grid, block>>>(a, a, a, 0, 0, 0, 0);
  return cudaDeviceSynchronize() != cudaSuccess;
}
