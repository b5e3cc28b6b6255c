#include <cuda/pipeline>
// Fetch and compute counters apart, a while loop, pairs of arrays.
struct Tile {
  float a[64][8];
  float b[8][64];
};
__global__ void __launch_bounds__(64) outer(const float *__restrict__ A, const float *__restrict__ Bm, float *__restrict__ C, unsigned K, unsigned ld) {
  __shared__ Tile tiles[3];
  auto p = cuda::make_pipeline();
  unsigned fetched = 0, computed = 0;
  const unsigned total = K / 8;
  float acc[64] = {};
  while (computed < total) {
    while (fetched < total && fetched < computed + 2) {
      Tile &dst = tiles[fetched % 3];
      p.producer_acquire();
      for (int j = 0; j < 8; j += 4)
        cuda::memcpy_async(&dst.a[threadIdx.x][j], A + (size_t)(blockIdx.y * 64 + threadIdx.x) * K + fetched * 8 + j,
                           cuda::aligned_size_t<16>(16), p);
      for (int r = 0; r < 8; ++r)
        cuda::memcpy_async(&dst.b[r][threadIdx.x], Bm + (size_t)(fetched * 8 + r) * ld + blockIdx.x * 64 + threadIdx.x, 4, p);
      p.producer_commit();
      fetched++;
    }
    p.consumer_wait();
    __syncthreads();
    const Tile &t = tiles[computed % 3];
#pragma unroll
    for (int j = 0; j < 64; ++j)
      for (int k = 0; k < 8; ++k)
        acc[j] += t.a[j][k] * t.b[k][threadIdx.x];
    p.consumer_release();
    computed++;
  }
  for (int j = 0; j < 64; ++j)
    C[(size_t)(blockIdx.y * 64 + j) * ld + blockIdx.x * 64 + threadIdx.x] = acc[j];
}
