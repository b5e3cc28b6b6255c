#include <iostream>
#include <vector>
constexpr unsigned BLOCK = 256;
__global__ void matvec(const double *__restrict__ A, const double *__restrict__ x, double *__restrict__ y, size_t rows, size_t cols) {
  __shared__ double xs[BLOCK];
  size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  double sum = 0;
  for (size_t c = 0; c < cols; c += BLOCK) {
    xs[threadIdx.x] = c + threadIdx.x < cols ? x[c + threadIdx.x] : 0.0;
    __syncthreads();
    if (row < rows)
      for (unsigned k = 0; k < BLOCK && c + k < cols; ++k) sum += A[(c + k) * rows + row] * xs[k];
    __syncthreads();
  }
  if (row < rows) y[row] = sum;
}
int main() {
  std::size_t rows = 5000, cols = 3000;
  std::vector<double> A(rows * cols, 1.0), x(cols, 2.0), y(rows);
  double *dA, *dx, *dy;
  cudaMalloc(&dA, sizeof(double) * A.size());
  cudaMalloc(&dx, sizeof(double) * x.size());
  cudaMalloc(&dy, sizeof(double) * y.size());
  cudaMemcpy(dA, A.data(), sizeof(double) * A.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x.data(), sizeof(double) * x.size(), cudaMemcpyHostToDevice);
  unsigned grid = static_cast<unsigned>((rows + BLOCK - 1) / BLOCK);
  matvec<<<grid, BLOCK>>>(dA, dx, dy, rows, cols);
  cudaMemcpy(y.data(), dy, sizeof(double) * rows, cudaMemcpyDeviceToHost);
  std::cout << y[0] << std::endl;
}
