// The tile loop is in a device function, which two kernels call.
#include <cstdio>
#include <cuda_runtime.h>

__device__ float weigh(const float *in, int n, float start) {
  __shared__ float tile[128];
  float sum = start;
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; i++)
      sum += tile[i] * (float)((i + threadIdx.x) % 7);
    __syncthreads();
  }
  return sum;
}

__global__ void once(const float *in, float *out, int n) {
  out[threadIdx.x] = weigh(in, n, 1.0f);
}

__global__ void scaled(const float *in, float *out, int n, float by) {
  out[threadIdx.x] = by * weigh(in, n, 2.0f);
}

int main() {
  const int n = 512;
  float host[n], *in, *out;
  for (int i = 0; i < n; i++)
    host[i] = (float)(i % 43);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  once<<<1, 128>>>(in, out, n);
  scaled<<<1, 128>>>(in, out, n, 0.25f);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("device-function: %s, %g\n", cudaGetErrorString(cudaGetLastError()),
         host[1]);
  return 0;
}
