// bgemm.cu with asynchronous copies, three stages. MUTANT breaks it on purpose.
#include <cuda_runtime.h>
#include <cuda_pipeline_primitives.h>

#define T 16
#define S 3
#ifndef MUTANT
#define MUTANT 0
#endif

__global__ void bgemm(const float *A, const float *Bm, float *C, int M, int N,
                      int K, int B) {
  __shared__ float As[S][T][T];
  __shared__ float Bs[S][T][T];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  for (int b = 0; b < B; b++) {
    const float *a = A + (size_t)b * M * K, *bb = Bm + (size_t)b * K * N;
    float sum = 0;
    int k0 = 0, fill = 0, use = 0;
    auto issue = [&]() {
      bool ina = row < M && k0 + x < K, inb = k0 + y < K && col < N;
      if (MUTANT == 9) {
        if (ina)
          __pipeline_memcpy_async(&As[fill][y][x], &a[row * K + k0 + x], 4);
      } else if (MUTANT == 10) {
        __pipeline_memcpy_async(&As[fill][y][x], ina ? &a[row * K + k0 + x] : a,
                                8, ina ? 0 : 8);
      } else {
        __pipeline_memcpy_async(&As[fill][y][x], ina ? &a[row * K + k0 + x] : a,
                                4, ina ? 0 : 4);
      }
      __pipeline_memcpy_async(&Bs[fill][y][x], inb ? &bb[(k0 + y) * N + col] : bb,
                              4, inb || MUTANT == 7 ? 0 : 4);
      fill = fill == S - 1 ? 0 : fill + 1;
      k0 += T;
    };
    for (int s = 0; s < S - 1; s++) {
      if (k0 < K || MUTANT == 7)
        issue();
      __pipeline_commit();
    }
    for (int t = 0; t < K; t += T) {
      if (MUTANT == 2)
        __pipeline_wait_prior(S - 1);
      else if (MUTANT != 1)
        __pipeline_wait_prior(S - 2);
      if (MUTANT != 3 && MUTANT != 6)
        __syncthreads();
      if (k0 < K) {
        issue();
        if (MUTANT == 4)
          __pipeline_commit();
      }
      if (MUTANT != 4)
        __pipeline_commit();
      if (MUTANT == 6)
        __syncthreads();
      int stage = MUTANT == 5 && t + T >= K ? 2 : use;
      for (int k = 0; k < T; k++)
        sum += As[stage][y][k] * Bs[stage][k][x];
      use = use == S - 1 ? 0 : use + 1;
    }
    if (MUTANT != 8) {
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    if (row < M && col < N)
      C[((size_t)b * M + row) * N + col] += sum;
  }
}
