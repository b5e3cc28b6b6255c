// bgemm.cu with a pipeline of the block, two stages. MUTANT breaks it on purpose.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define T 16
#define S 2
#ifndef MUTANT
#define MUTANT 0
#endif

__global__ void bgemm(const float *A, const float *Bm, float *C, int M, int N,
                      int K, int B) {
  __shared__ float As[S][T][T];
  __shared__ float Bs[S][T][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> state;
  auto block = cooperative_groups::this_thread_block();
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  for (int b = 0; b < B; b++) {
    const float *a = A + (size_t)b * M * K, *bb = Bm + (size_t)b * K * N;
    float sum = 0;
    int k0 = 0, fill = 0, use = 0;
    if (b > 0 && MUTANT != 1)
      __syncthreads();
    auto pipe = cuda::make_pipeline(block, &state);
    auto fetch = [&]() {
      if (MUTANT != 2)
        pipe.producer_acquire();
      bool ina = row < M && k0 + x < K, inb = k0 + y < K && col < N;
      if (ina)
        cuda::memcpy_async(&As[fill][y][x], &a[row * K + k0 + x], sizeof(float), pipe);
      else
        As[fill][y][x] = 0;
      if (inb)
        cuda::memcpy_async(&Bs[fill][y][x], &bb[(k0 + y) * N + col], sizeof(float),
                           pipe);
      else
        Bs[fill][y][x] = 0;
      if (MUTANT != 3)
        pipe.producer_commit();
      fill = fill == S - 1 ? 0 : fill + 1;
      k0 += T;
    };
    if (k0 < K)
      fetch();
    for (int t = 0; t < K; t += T) {
      if (k0 < K)
        fetch();
      if (MUTANT != 4)
        pipe.consumer_wait();
      int stage = MUTANT == 5 && t + T >= K ? 1 : use;
      if (MUTANT == 6)
        pipe.consumer_release();
      for (int k = 0; k < T; k++)
        sum += As[stage][y][k] * Bs[stage][k][x];
      if (MUTANT != 6 && MUTANT != 7)
        pipe.consumer_release();
      use = use == S - 1 ? 0 : use + 1;
      if (MUTANT == 8 && x == 0 && y == 0 && t > 0)
        return;
    }
    if (row < M && col < N)
      C[((size_t)b * M + row) * N + col] += sum;
  }
}
