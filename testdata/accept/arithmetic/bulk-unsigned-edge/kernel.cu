// An edge in unsigned numbers, and two rows of threads that copy the same: thread 0 copies for both.
#include <cuda_runtime.h>

// pipelinify: launch correlate
//   sizes    n=0,1,127,128,129,255,256,300,384,512
//   target   n=65536
//   grid     2
//   block    128, 2
//   a:       in  [n]
//   out:     out [512]
//   n:       n
__global__ void __launch_bounds__(256)
correlate(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (unsigned k = 0; k < n; k += 128) {
    tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += tile[i] * tile[(i + threadIdx.x + threadIdx.y) % 128];
    __syncthreads();
  }
  out[(blockIdx.x * 2 + threadIdx.y) * 128 + threadIdx.x] = sum;
}
