#include <cstdlib>
#include <cuda_runtime.h>
__global__ void fine() {}
int main() {
  fine<<<1, 32>>>();
  cudaDeviceSynchronize();
  abort();
}
