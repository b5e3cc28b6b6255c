#include <cuda_pipeline.h>
// 7-point stencil marching through z, four planes in a ring (three used, one coming).
#define BX 32
#define BY 8
__global__ void __launch_bounds__(BX *BY) heat(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, int nz) {
  __shared__ float pl[4][BY + 2][BX + 2];
  const int x0 = blockIdx.x * BX, y0 = blockIdx.y * BY;
  const int t = threadIdx.y * BX + threadIdx.x;
  auto plane = [&](int z) {
    if (z < nz) {
      for (int i = t; i < (BX + 2) * (BY + 2); i += BX * BY) {
        int yy = i / (BX + 2), xx = i % (BX + 2);
        const float *g = u + ((size_t)z * (ny + 2) + y0 + yy) * (nx + 2) + x0 + xx;
        __pipeline_memcpy_async(&pl[z & 3][yy][xx], g, sizeof(float));
      }
    }
    __pipeline_commit();
  };
  plane(0);
  plane(1);
  plane(2);
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  for (int z = 1; z < nz - 1; ++z) {
    plane(z + 2);
    __pipeline_wait_prior(1);
    __syncthreads();
    float c = pl[z & 3][y][x];
    float r = pl[z & 3][y][x - 1] + pl[z & 3][y][x + 1] + pl[z & 3][y - 1][x] + pl[z & 3][y + 1][x] +
              pl[(z - 1) & 3][y][x] + pl[(z + 1) & 3][y][x];
    v[((size_t)z * (ny + 2) + y0 + y) * (nx + 2) + x0 + x] = c + 0.1f * (r - 6.f * c);
    __syncthreads();
  }
}
