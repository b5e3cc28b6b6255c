// The same a warp at a time, and one that takes another type.
#include "scan.cuh"
template <class T, int N>
__global__ void prefix_warps(const T *__restrict__ x, T *__restrict__ y, const int n) {
  __shared__ T ends[N / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T before = 0;
  for (int from = 0; from < n; from += N) {
    const int i = from + threadIdx.x;
    T sum = i < n ? x[i] : T(0);
    for (int by = 1; by < 32; by *= 2) {
      T more = __shfl_up_sync(0xffffffffu, sum, by);
      if (lane >= by)
        sum += more;
    }
    if (lane == 31)
      ends[warp] = sum;
    __syncthreads();
    for (int w = 0; w < N / 32; w++) {
      if (w < warp)
        sum += ends[w];
    }
    T all = 0;
    for (int w = 0; w < N / 32; w++)
      all += ends[w];
    if (i < n)
      y[i] = before + sum;
    before += all;
    __syncthreads();
  }
}
