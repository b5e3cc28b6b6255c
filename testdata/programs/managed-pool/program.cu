// Managed memory, memory of a pool, mapped host memory.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void smooth(const float *in, float *out, const float *weights,
                       int n) {
  __shared__ float tile[256];
  float sum = 0.0f, weight = weights[threadIdx.x];
  for (int k = 0; k < n; k += 256) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; i++)
      sum += tile[i] * (weight + (float)(i % 3));
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum + (float)blockIdx.x;
}

int main() {
  const int n = 2048;
  float *managed, *pooled, *mapped;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocManaged(&managed, n * sizeof(float));
  cudaMallocAsync((void **)&pooled, n * sizeof(float), stream);
  cudaMallocHost(&mapped, 256 * sizeof(float));
  for (int i = 0; i < n; i++)
    managed[i] = (float)(i % 19) - 9.0f;
  for (int i = 0; i < 256; i++)
    mapped[i] = 1.0f / (float)(i + 1);
  smooth<<<n / 256, 256, 0, stream>>>(managed, pooled, mapped, n);
  smooth<<<n / 256, 256, 0, stream>>>(pooled, managed, mapped, n);
  smooth<<<1, 256, 0, stream>>>(managed, mapped, pooled, n);
  cudaStreamSynchronize(stream);
  printf("managed-pool: %s, %g %g\n", cudaGetErrorString(cudaGetLastError()),
         managed[3], mapped[7]);
  cudaFreeAsync(pooled, stream);
  cudaStreamSynchronize(stream);
  return 0;
}
