// Two stages by hand, 8 x 32 outputs a block. FAULT plants one: 1 no barrier, 2 a wrong
// value, 3 a tile that is loaded by half, 4 two kinds of barriers, 5 a store without its
// guard.
#ifndef FAULT
#define FAULT 0
#endif
#define TILE 8
enum { WIDE = 32, STEP = 8 };
// pipelinify: launch gemm_fast<2>
//   sizes m=64 n=64 k=64
//   grid  (n + 31) / 32, (m + 7) / 8
//   block 32, 8
//   smem  2 * 4 * (8 * 8 + 8 * 32)
//   a: in [m * k]
//   b: in [k * n]
//   c: out [m * n]
//   m: m
//   n: n
//   k: k
static __device__ void at(float *to, const float *m, int r, int c, int rows, int cols) {
  *to = r < rows && c < cols ? m[r * cols + c] : 0.f;
}
template <int STAGES>
__global__ void gemm_fast(const float *__restrict__ a, const float *__restrict__ b,
                          float *__restrict__ c, int m, int n, int k) {
  extern __shared__ float room[];
  float *as = room, *bs = room + STAGES * TILE * STEP;
  const int t = threadIdx.y * WIDE + threadIdx.x;
  const int row = blockIdx.y * TILE, col = blockIdx.x * WIDE;
  auto load = [&](int stage, int from) {
    if (t < TILE * STEP / (FAULT == 3 ? 2 : 1))
      at(&as[stage * TILE * STEP + t], a, row + t / STEP, from + t % STEP, m, k);
    at(&bs[stage * STEP * WIDE + t], b, from + t / WIDE, col + t % WIDE, k, n);
  };
  float sum = 0;
  if (k > 0)
    load(0, 0);
  __syncthreads();
  for (int from = 0, stage = 0; from < k; from += STEP, stage = (stage + 1) % STAGES) {
    if (from + STEP < k)
      load((stage + 1) % STAGES, from + STEP);
    for (int i = 0; i < STEP; i++)
      sum = fmaf(as[stage * TILE * STEP + threadIdx.y * STEP + i],
                 bs[stage * STEP * WIDE + i * WIDE + threadIdx.x], sum);
#if FAULT == 4
    if (t >= 96)
      asm volatile("bar.sync 1, 256;" ::: "memory");
    else
#endif
#if FAULT != 1
    __syncthreads();
#endif
  }
  int r = row + threadIdx.y, cc = col + threadIdx.x;
#if FAULT == 2
  if (r == 20 && cc == 33)
    sum += 1;
#endif
  if (FAULT == 5 || (r < m && cc < n))
    c[r * n + cc] = sum;
}
