// One load helper, and two loops that want its asynchronous copies in different words: it has one
// text for both.
#include <cuda_runtime.h>
#define T 16
__device__ void load(float (&tile)[T][T], const float *src, int ld, int k0) {
  tile[threadIdx.y][threadIdx.x] = src[threadIdx.y * ld + k0 + threadIdx.x];
}
__global__ void one(const float *__restrict__ a, float *__restrict__ c, int k) {
  __shared__ float as[T][T];
  float sum = 0.0f;
  // pipelinify: variant=pipeline stages=2
  for (int k0 = 0; k0 < k; k0 += T) {
    load(as, a, k, k0);
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[threadIdx.y][i] * as[i][threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.y * T + threadIdx.x] = sum;
}
__global__ void two(const float *__restrict__ a, float *__restrict__ c, int k) {
  __shared__ float as[T][T];
  float sum = 0.0f;
  // pipelinify: variant=cp.async stages=3
  for (int k0 = 0; k0 < k; k0 += T) {
    load(as, a, k, k0);
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[threadIdx.y][i] * as[i][threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.y * T + threadIdx.x] = sum;
}
