#include <cstdio>
#include <vector>
constexpr int TILE_DIM = 16;
template <typename T>
__global__ void matmulTiled(const T* a, const T* b, T* c, unsigned int n) {
  __shared__ T ta[TILE_DIM][TILE_DIM];
  __shared__ T tb[TILE_DIM][TILE_DIM];
  unsigned r = blockIdx.y * TILE_DIM + threadIdx.y, q = blockIdx.x * TILE_DIM + threadIdx.x;
  T s = T(0);
  for (unsigned t = 0; t < n; t += TILE_DIM) {
    ta[threadIdx.y][threadIdx.x] = a[r * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + q];
    __syncthreads();
    for (int k = 0; k < TILE_DIM; k++) s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[r * n + q] = s;
}
template <typename T> void run(unsigned n) {
  size_t size = size_t(n) * n;
  std::vector<T> h(size, T(1));
  T *a, *b, *c;
  cudaMalloc(&a, size * sizeof(T));
  cudaMalloc(&b, size * sizeof(T));
  cudaMalloc(&c, size * sizeof(T));
  cudaMemcpy(a, h.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  dim3 threads{TILE_DIM, TILE_DIM};
  dim3 blocks{n / TILE_DIM, n / TILE_DIM};
  matmulTiled<<<blocks, threads>>>(a, b, c, n);
  cudaDeviceSynchronize();
  cudaFree(a); cudaFree(b); cudaFree(c);
}
int main() { run<float>(512); run<double>(256); return 0; }
