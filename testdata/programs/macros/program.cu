// Launches in macros' bodies and arguments, arguments with side effects and
// conversions, a kernel that is not rewritten between two that are; ends by
// exit().
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    call;                                                                      \
    cudaError_t error_ = cudaGetLastError();                                   \
    if (error_ != cudaSuccess) {                                               \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));          \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define LAUNCH(kernel, blocks, ...) kernel<<<blocks, 128>>>(__VA_ARGS__)

__global__ void moving_sum(const float *in, float *out, long n, double weight) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (long k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      sum += tile[i] * (float)((i + threadIdx.x + blockIdx.x) % 5);
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum * (float)weight;
}

__global__ void scale(float *v, float by) {
  v[blockIdx.x * 128 + threadIdx.x] *= by;
}

__global__ void largest(const int *in, int *out, int n, int floor = -1000) {
  __shared__ int tile[128];
  int best = floor;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      best = max(best, tile[i] ^ (int)threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = best;
}

int main() {
  const int n = 1024;
  float host[n], *in, *out;
  int numbers[n], *ints, *most, calls = 0;
  for (int i = 0; i < n; i++)
    host[i] = (float)(i % 31), numbers[i] = (i * 37) % 1009;
  CHECK(cudaMalloc(&in, sizeof host));
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMalloc(&ints, sizeof numbers));
  CHECK(cudaMalloc(&most, sizeof numbers));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(ints, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  CHECK((moving_sum<<<calls++ ? 1 : n / 128, 128>>>(in, out, n, calls)));
  CHECK(LAUNCH(scale, n / 128, out, 0.5f));
  LAUNCH(moving_sum, 2, out, in, n, 1);
  if (calls)
    largest<<<1, 128>>>(ints, most, n);
  cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
  printf("macros: %d calls, %g\n", calls, host[3]);
  exit(cudaGetLastError() != cudaSuccess);
}
