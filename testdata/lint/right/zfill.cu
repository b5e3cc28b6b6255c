#include <cstdint>
// Ragged edge by src-size: bytes beyond come as zero.
__device__ __forceinline__ void cp_zfill(float *d, const float *s, bool ok) {
  const int bytes = ok ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"((uint32_t)__cvta_generic_to_shared(d)), "l"(s), "r"(bytes));
}
template <int N> __device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n"); }

constexpr int T_R = 16, T_K = 32;
__global__ void __launch_bounds__(128) ragged(const float *__restrict__ a, float *__restrict__ o, int rows, int k) {
  __shared__ __align__(16) float s[3][T_R][T_K];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
  const int row = blockIdx.x * T_R + r;
  const int n = (k + T_K - 1) / T_K;
  const float *g = a + (size_t)min(row, rows - 1) * k;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    bool ok = row < rows && i * T_K + c < k;
    cp_zfill(&s[i][r][c], ok ? g + i * T_K + c : a, ok);
    commit();
  }
  float acc = 0.f;
  for (int i = 0; i < n; ++i) {
    wait<1>();
    __syncthreads();
    const int x = i + 2;
    bool ok = row < rows && x * T_K + c < k;
    cp_zfill(&s[x % 3][r][c], ok ? g + x * T_K + c : a, ok);
    commit();
    for (int j = 0; j < 4; ++j)
      acc += s[i % 3][threadIdx.x % T_R][threadIdx.x / T_R * 4 + j];
  }
  wait<0>();
  o[blockIdx.x * 128 + threadIdx.x] = acc;
}
