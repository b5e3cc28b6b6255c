// Two threads bring each cell, both the same. Others of this file's kind: with
// asynchronous copies in three stages. MUTANT breaks them on purpose.
#include <cuda_pipeline_primitives.h>
#ifndef MUTANT
#define MUTANT -1
#endif
#define T 32
#define S 3

// pipelinify: launch twice
//   sizes n=0,1,2,3,7
//   grid 2
//   block 32
//   a: in [n * 32 + 32]
//   o: out [64]
//   n: n
__global__ void twice(const float *a, float *o, int n) {
  int x = threadIdx.x;
  float sum = 0;
#ifdef UNASSERTED
  assert(n < 0); // with -DNDEBUG alone
#endif
#if MUTANT < 0
  __shared__ float s[T / 2];
  for (int t = 0; t < n; t++) {
    s[x / 2] = a[t * T + x / 2];
    __syncthreads();
    for (int i = 0; i < T / 2; i++)
      sum += s[i] * (i + x);
    __syncthreads();
  }
#else
  __shared__ float s[S][T / 2];
  auto issue = [&](int t) {
    if (t < n)
      __pipeline_memcpy_async(&s[t % S][x / 2],
                              &a[t * T + (MUTANT == 1 ? x : x / 2)], 4);
    __pipeline_commit();
  };
  for (int t = 0; t < S - 1; t++)
    issue(t);
  for (int t = 0; t < n; t++) {
    if (MUTANT != 3 || x % 2 == 0)
      __pipeline_wait_prior(MUTANT == 2 ? S - 1 : S - 2);
    __syncthreads();
    issue(t + S - 1);
    for (int i = 0; i < T / 2; i++)
      sum += s[t % S][i] * (i + x);
  }
  __pipeline_wait_prior(0);
#endif
  o[blockIdx.x * T + x] = sum;
}
