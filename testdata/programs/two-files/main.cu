// Launches a kernel of another file, directly and by its wrapper, from several
// threads.
#include "kernels.h"

#include <cstdio>
#include <thread>
#include <vector>

static void work(float *in, int n) {
  float *out;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&out, n * sizeof(float));
  for (int i = 0; i < 3; i++) {
    launch_blend(in, out, n, stream);
    cudaMemsetAsync(out, i, n * sizeof(float), stream);
  }
  blend<<<1, 128, 0, stream>>>(in, out, n);
  cudaStreamSynchronize(stream);
}

int main() {
  const int n = 1024;
  float host[n], *in;
  for (int i = 0; i < n; i++)
    host[i] = (float)(i % 53);
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work, in, n);
  for (auto &thread : threads)
    thread.join();
  printf("two-files: %s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
