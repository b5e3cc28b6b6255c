// Launches without <<<>>>: cudaLaunchKernel, a cooperative one, one with
// attributes; dynamic shared memory that was asked for; a kernel from a header.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#include "rows.cuh"

__global__ void rounds(const float *in, float *out, int n) {
  __shared__ float tile[64];
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  float sum = 0.0f;
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i++)
      sum += tile[i] * (float)(threadIdx.x + 1);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  grid.sync();
  if (blockIdx.x == 0)
    out[threadIdx.x] += out[64 + threadIdx.x];
}

__global__ void rows_of(const float *in, float *out, int n) {
  extern __shared__ float spare[];
  __shared__ float tile[64];
  float sum = 0.0f;
  spare[threadIdx.x] = in[threadIdx.x];
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i++)
      sum += row_weight(tile[i], i);
    __syncthreads();
  }
  out[threadIdx.x] = sum + spare[63 - threadIdx.x];
}

int main() {
  int n = 512;
  float host[512], *in, *out;
  for (int i = 0; i < n; i++)
    host[i] = (float)(i % 11) + 0.25f;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  void *arguments[] = {&in, &out, &n};
  const int spare = 100 * 1024;
  cudaFuncSetAttribute(rows_of, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       spare);
  cudaLaunchKernel((void *)rows_of, dim3(1), dim3(64), arguments, spare, 0);
  cudaLaunchCooperativeKernel((void *)rounds, dim3(2), dim3(64), arguments, 0,
                              0);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  config.dynamicSmemBytes = 256;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, rows_of, (const float *)in, out + 128, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("launch-calls: %s, %g %g\n", cudaGetErrorString(cudaGetLastError()),
         host[0], host[130]);
  return 0;
}
