#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Transposes strip after strip; the next tile is on its way in registers.
__global__ void __launch_bounds__(256) strip(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float t[2][32][33];
  cg::thread_block cta = cg::this_thread_block();
  const int x = threadIdx.x & 31, y = threadIdx.x >> 5;
  const int n = w / 32, y0 = blockIdx.x * 32;
  float r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = n > 0 ? in[(size_t)(y0 + y + 8 * i) * w + x] : 0.f;
  for (int s = 0; s < n; ++s) {
    float (*b)[33] = t[s % 2];
    for (int i = 0; i < 4; ++i)
      b[y + 8 * i][x] = r[i];
    cta.sync();
    if (s + 1 < n)
      for (int i = 0; i < 4; ++i)
        r[i] = in[(size_t)(y0 + y + 8 * i) * w + (s + 1) * 32 + x];
    for (int i = 0; i < 4; ++i)
      out[(size_t)(s * 32 + y + 8 * i) * h + y0 + x] = b[x][y + 8 * i];
  }
}
