// bgemm.cu with twice the threads: those of the upper half, by z, load for the thread of
// the same x and y. MUTANT breaks it on purpose.
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
  __shared__ float sums[T][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> state;
  auto block = cooperative_groups::this_thread_block();
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const bool loads = threadIdx.z == 1;
  if (MUTANT == 1 || !loads)
    sums[y][x] = loads;
#if MUTANT == 2
  auto pipe = cuda::make_pipeline(block, &state, T * T / 2);
#elif MUTANT % 2
  auto pipe = cuda::make_pipeline(block, &state, T * T);
#else
  auto pipe = cuda::make_pipeline(block, &state,
                                  loads ? cuda::pipeline_role::producer
                                        : cuda::pipeline_role::consumer);
#endif
  if (loads) {
    int fill = 0;
    for (int t = 0; t < B * K; t++) {
      int b = t / K, k0 = t % K;
      if (k0 % T)
        continue;
      const float *a = A + (size_t)b * M * K, *bb = Bm + (size_t)b * K * N;
      if (MUTANT != 3)
        pipe.producer_acquire();
      if (row < M && k0 + x < K)
        cuda::memcpy_async(&As[fill][y][x], &a[row * K + k0 + x], sizeof(float), pipe);
      else
        As[fill][y][x] = 0;
      if (k0 + y < K && col < N)
        cuda::memcpy_async(&Bs[fill][y][x], &bb[(k0 + y) * N + col], sizeof(float),
                           pipe);
      else
        Bs[fill][y][x] = 0;
      if (MUTANT != 4 || t)
        pipe.producer_commit();
      fill = fill == S - 1 ? 0 : fill + 1;
    }
    return;
  }
  int use = 0;
  for (int b = 0; b < B; b++) {
    for (int k0 = 0; k0 < K; k0 += T) {
      if (MUTANT != 5)
        pipe.consumer_wait();
      int other = (x + k0 / T) % T; // another thread's sum than a tile ago
      float sum = sums[y][other];
      for (int k = 0; k < T; k++)
        sum += As[use][y][k] * Bs[use][k][other];
      sums[y][other] = sum;
      if (MUTANT == 6)
        pipe.consumer_release();
      if (MUTANT != 7)
        asm volatile("barrier.sync 1, %0;" : : "r"(MUTANT == 8 ? 2 * T * T : T * T) : "memory");
      if (MUTANT != 6 && MUTANT != 9)
        pipe.consumer_release();
      use = use == S - 1 ? 0 : use + 1;
    }
    if (row < M && col < N)
      C[((size_t)b * M + row) * N + col] += sums[y][x];
    if (MUTANT != 10)
      asm volatile("barrier.sync 1, %0;" : : "r"(T * T) : "memory");
    sums[y][(x + 1) % T] = 0;
    if (MUTANT != 10)
      asm volatile("barrier.sync 1, %0;" : : "r"(T * T) : "memory");
    if (MUTANT == 11)
      __syncthreads();
  }
}
