#include <cuda_runtime.h>

namespace ns {
__global__ void scale(float *p, float f) { p[threadIdx.x] *= f; }
} // namespace ns

template <int N, typename T> __global__ void fill(T *p, T v) {
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    p[i] = v;
}

__device__ int helper(int i) { return i + 1; }

extern "C" __global__ void plain(int *p) { p[threadIdx.x] = helper(3); }

void launch(float *p, int *q) {
  fill<64, float><<<1, 64>>>(p, 0.0f);
  fill<32, int><<<1, 32>>>(q, 1);
  ns::scale<<<1, 64>>>(p, 2.0f);
}

__global__ void later(int *p);
template <int N> __global__ void later_still(int *p);

void launch_later(int *q) {
  later<<<1, 1>>>(q);
  later_still<3><<<1, 1>>>(q);
}

__global__ void later(int *p) { p[0] = 1; }

template <int N> __global__ void
later_still(int *p) {
  p[0] = N;
}
