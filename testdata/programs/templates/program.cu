// Template kernels: explicit arguments, deduced ones, and a launch in a
// template function whose arguments depend on its own.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

template <int T, typename E>
__global__ void multiply(const E *a, const E *b, E *c, int n) {
  __shared__ E as[T][T];
  __shared__ E bs[T][T];
  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  E sum = 0;
  for (int k = 0; k < n; k += T) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i++)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

template <typename E>
__global__ void dots(const E *rows, const E *x, E *y, int n) {
  __shared__ E xs[128];
  int row = blockIdx.x * 128 + threadIdx.x;
  E sum = rows[row];
  for (int k = 0; k < n; k += 128) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      sum += (E)(row % 5 + i) * xs[i];
    __syncthreads();
  }
  y[row] = sum;
}

template <typename E, int T> void go(E *a, E *b, E *c, int n) {
  multiply<T, E><<<dim3(n / T, n / T), dim3(T, T)>>>(a, b, c, n);
}

template <typename E> E *fill(int count, int step) {
  std::vector<E> host(count);
  for (int i = 0; i < count; i++)
    host[i] = (E)((i * step) % 23) - (E)7;
  E *device;
  cudaMalloc(&device, count * sizeof(E));
  cudaMemcpy(device, host.data(), count * sizeof(E), cudaMemcpyHostToDevice);
  return device;
}

int main(int argc, char **) {
  const int n = 256;
  float *a = fill<float>(n * n, 3), *b = fill<float>(n * n, 5);
  float *c = fill<float>(n * n, 1);
  double *x = fill<double>(n * n, 2), *y = fill<double>(n, 7);
  double *z = fill<double>(n, 1);
  go<float, 16>(a, b, c, n);
  go<float, 32>(c, b, a, n);
  if (argc > 1)
    go<float, 8>(a, b, c, n);
  dots<<<n / 128, 128>>>(x, y, z, n);
  double first;
  cudaMemcpy(&first, z, sizeof first, cudaMemcpyDeviceToHost);
  printf("templates: %s, z[0] = %g\n", cudaGetErrorString(cudaGetLastError()),
         first);
  return 0;
}
