#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
using namespace cooperative_groups;

template <typename T, int N, int STEP>
__global__ void pairwise(const T *__restrict__ p, T *__restrict__ q, int total) {
  auto cta = this_thread_block();
  __shared__ T tile[2][N];
  int count = (total + N - 1) / N;
  int live = min(N, total);
  memcpy_async(cta, tile[0], p, sizeof(T) * live);
  T acc = T(0);
  for (int s = 0; s < count; ++s) {
    int now = min(N, total - s * N);
    if (s + 1 < count) {
      int next = min(N, total - (s + 1) * N);
      memcpy_async(cta, tile[(s + 1) & 1], p + (s + 1) * N, sizeof(T) * next);
      wait_prior<1>(cta);
    } else {
      wait(cta);
    }
    for (int i = 0; i < now; i += STEP)
      acc += tile[s & 1][i] * T(threadIdx.x);
    cta.sync();
  }
  q[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}

void call(const double *p, double *q, int n, cudaStream_t s) {
  pairwise<double, 256, 2><<<8, 64, 0, s>>>(p, q, n);
}
