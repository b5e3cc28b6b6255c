// bgemm.cu with register staging and two buffers. MUTANT breaks it on purpose.
#include <cuda_runtime.h>

#define T 16
#ifndef MUTANT
#define MUTANT 0
#endif

__global__ void bgemm(const float *A, const float *Bm, float *C, int M, int N,
                      int K, int B) {
  __shared__ float As[2][T][T];
  __shared__ float Bs[2][T][T];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  for (int b = 0; b < B; b++) {
    const float *a = A + (size_t)b * M * K, *bb = Bm + (size_t)b * K * N;
    float sum = 0;
    int cur = 0, k0 = 0;
#define FETCH_A (row < M && k0 + x < K ? a[row * K + k0 + x] : 0.f)
#define FETCH_B (k0 + y < K && col < N ? bb[(k0 + y) * N + col] : 0.f)
    bool more = MUTANT == 4 || k0 < K;
    if (more) {
#if MUTANT == 4
      As[0][y][x] = row < M ? a[row * K + k0 + x] : 0.f;
#else
      As[0][y][x] = FETCH_A;
#endif
      Bs[0][y][x] = FETCH_B;
      k0 += T;
      more = k0 < K;
      if (MUTANT != 7 || y < 8)
        __syncthreads();
      while (more) {
        float fa = FETCH_A, fb = FETCH_B;
#if MUTANT == 6
        for (int k = T - 1; k >= 0; k--)
#else
        for (int k = 0; k < T; k++)
#endif
          sum += As[cur][y][k] * Bs[cur][k][x];
        if (MUTANT != 2)
          cur ^= 1;
        As[cur][y][x] = fa;
        Bs[cur][y][x] = fb;
        k0 += T;
        more = k0 < K;
        if (MUTANT != 1)
          __syncthreads();
      }
      int last = MUTANT == 5 ? 1 : cur;
      for (int k = 0; k < T; k++)
        sum += As[last][y][k] * Bs[last][k][x];
      if (MUTANT != 3)
        __syncthreads();
    }
    if (row < M && col < N)
      C[((size_t)b * M + row) * N + col] += sum;
  }
}
