// One kernel runs in a captured graph only: it cannot be shadowed there. The
// other is launched directly as well.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void captured(const float *in, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i++)
      sum += tile[i] * (float)(i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void direct(const float *in, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i++)
      sum += tile[i] - (float)(i * threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main() {
  const int n = 512;
  float host[n], *in, *out;
  for (int i = 0; i < n; i++)
    host[i] = (float)(i % 9);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  direct<<<1, 64, 0, stream>>>(in, out, n);
  cudaStreamSynchronize(stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  captured<<<1, 64, 0, stream>>>(in, out, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  for (int i = 0; i < 3; i++)
    cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host, out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("graph-capture: %s, %g\n", cudaGetErrorString(cudaGetLastError()),
         host[2]);
  return 0;
}
