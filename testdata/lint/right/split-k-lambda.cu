#include <cuda_pipeline.h>
#include <cuda_bf16.h>

template <int BK>
__global__ void splitk(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ X, float *__restrict__ Y,
                       int K, int parts) {
  constexpr int ROWS = 32;
  __shared__ alignas(16) __nv_bfloat16 tile[2][ROWS][BK];
  __shared__ alignas(16) __nv_bfloat16 xs[2][BK];
  const int per = ((K / BK) + parts - 1) / parts;
  const int first = blockIdx.y * per;
  const int last = min(first + per, K / BK);
  const int r = threadIdx.x / (BK / 8), c = threadIdx.x % (BK / 8) * 8;
  const __nv_bfloat16 *rowp = A + (size_t)(blockIdx.x * ROWS + r) * K + c;
  auto stage_in = [&](int buf, int kt) {
    __pipeline_memcpy_async(&tile[buf][r][c], rowp + kt * BK, 16);
    if (r == 0)
      __pipeline_memcpy_async(&xs[buf][c], X + kt * BK + c, 16);
  };
  float acc = 0.f;
  int buf = 0;
  if (first < last)
    stage_in(0, first);
  __pipeline_commit();
  for (int kt = first; kt < last; ++kt, buf ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (kt + 1 < last)
      stage_in(buf ^ 1, kt + 1);
    __pipeline_commit();
    if (threadIdx.x < ROWS) {
      for (int k = 0; k < BK; ++k)
        acc += __bfloat162float(tile[buf][threadIdx.x][k]) * __bfloat162float(xs[buf][k]);
    }
  }
  if (threadIdx.x < ROWS)
    atomicAdd(&Y[blockIdx.x * ROWS + threadIdx.x], acc);
}

void go(const __nv_bfloat16 *a, const __nv_bfloat16 *x, float *y, int m, int k) {
  const int parts = 4;
  splitk<64><<<dim3(m / 32, parts), 256>>>(a, x, y, k, parts);
}
