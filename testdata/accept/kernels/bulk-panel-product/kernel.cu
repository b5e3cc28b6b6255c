// Rows of B of 128 floats are whole where n allows it, rows of A of 16 floats are not.
#include <cuda_runtime.h>

// pipelinify: launch panel_product
//   sizes    m=64 n=128 k=0,16,32,48,64,96,112,160
//   sizes    m=70 n=136 k=40
//   sizes    m=64 n=131 k=33
//   sizes    m=64 n=132 k=33
//   sizes    m=66 n=130 k=48
//   target   m=2048 n=2048 k=2048
//   requires m > 0 && n > 0
//   grid     (n + 127) / 128, (m + 63) / 64
//   block    256
//   a:       in  [m * k]
//   b:       in  [k * n]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
__global__ void panel_product(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  __shared__ float as[64][16];
  __shared__ float bs[16][128];
  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 128;
  float acc[4][8] = {};
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = tid; i < 64 * 16; i += 256) {
      int r = i / 16, q = i % 16;
      as[r][q] = row0 + r < m && k0 + q < k ? a[(row0 + r) * k + k0 + q] : 0.0f;
    }
    for (int i = tid; i < 16 * 128; i += 256) {
      int r = i / 128, q = i % 128;
      bs[r][q] = k0 + r < k && col0 + q < n ? b[(k0 + r) * n + col0 + q] : 0.0f;
    }
    __syncthreads();
    for (int q = 0; q < 16; ++q)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] += as[(tid / 16) * 4 + i][q] * bs[q][(tid % 16) + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      int r = row0 + (tid / 16) * 4 + i, q = col0 + tid % 16 + 16 * j;
      if (r < m && q < n)
        c[r * n + q] = acc[i][j];
    }
}
