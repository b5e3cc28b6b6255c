// Kernels in namespaces, in an unnamed one, static ones, overloads, a kernel
// called through a pointer.
#include <cstdio>
#include <cuda_runtime.h>

namespace physics {
namespace detail {
__device__ float pull(float a, float b) { return a / (1.0f + b * b); }
} // namespace detail

__global__ void forces(const float4 *bodies, float4 *out, int n) {
  __shared__ float4 tile[128];
  float4 me = bodies[blockIdx.x * 128 + threadIdx.x];
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = bodies[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++) {
      sum.x += detail::pull(tile[i].x - me.x, me.w);
      sum.y += detail::pull(tile[i].y - me.y, tile[i].w);
      sum.z += detail::pull(tile[i].z - me.z, 0.5f);
    }
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
} // namespace physics

namespace {
__device__ int bias = 3;

__global__ void count(const unsigned char *text, int *out, int n) {
  __shared__ unsigned char tile[128];
  int found = bias;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = text[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      found += tile[i] == (unsigned char)threadIdx.x;
    __syncthreads();
  }
  out[threadIdx.x] = found;
}
} // namespace

static __global__ void total(const float *in, float *out, int n) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      sum += tile[i] * tile[(i + threadIdx.x) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

static __global__ void total(const int *in, int *out, int n) {
  __shared__ int tile[128];
  int sum = 0;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      sum += tile[i] * (i % 3 - 1 + (int)threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main() {
  const int n = 1024;
  static float host[n * 4];
  for (int i = 0; i < n * 4; i++)
    host[i] = (float)(i % 41) / 8.0f;
  float4 *bodies, *sums;
  int *out;
  cudaMalloc(&bodies, sizeof host);
  cudaMalloc(&sums, sizeof host);
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemcpy(bodies, host, sizeof host, cudaMemcpyHostToDevice);
  physics::forces<<<n / 128, 128>>>(bodies, sums, n);
  count<<<1, 128>>>((const unsigned char *)sums, out, n);
  total<<<1, 128>>>((const float *)bodies, (float *)sums, n);
  void (*by_pointer)(const int *, int *, int) = total;
  by_pointer<<<1, 128>>>((const int *)bodies, out, n);
  int first;
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  printf("namespaces: %s, %d\n", cudaGetErrorString(cudaGetLastError()),
         first);
  return 0;
}
