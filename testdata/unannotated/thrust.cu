#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <iostream>
#define TILE 32
__global__ void mm(const double *A, const double *B, double *C, int N) {
  __shared__ double As[TILE][TILE];
  __shared__ double Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  double sum = 0;
  for (int t = 0; t < N / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

int main() {
  int n = 256;
  thrust::host_vector<double> ha(n * n, 1.0), hb(n * n, 0.5);
  thrust::device_vector<double> a = ha, b = hb;
  thrust::device_vector<double> c(n * n);
  dim3 t(TILE, TILE), g(n / TILE, n / TILE);
  mm<<<g, t>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data()), thrust::raw_pointer_cast(c.data()), n);
  std::cout << c[0] << "\n";
}
