// A variable that serves the loads, and then compute; the name that comes to mind for what loads
// is one that a macro joins from two.
#include <cuda_runtime.h>

__constant__ float v_load = 3.0f;
#define SCALE(x) v##x

// pipelinify: launch scaled_sum
//   sizes  n=0,1,32,33,64,96,130
//   target n=65536
//   grid   1
//   block  32
//   a:   in  [n + 32] random
//   out: out [32]
//   n:   n
__global__ __launch_bounds__(32) void scaled_sum(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  float v, sum = 0.0f;
  // pipelinify: ldg-single, 1 stage, source d9976278
  int c = 0;
  if (c < n) {
    {
      float v_load2 = a[c + t];
      s[t] = v_load2 * SCALE(_load);
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (c += 32; c < n; c += 32) {
      float v_load2 = a[c + t];
      v = s[31 - t];
      sum += v * (t + 1);
      __syncthreads();
      s[t] = v_load2 * SCALE(_load);
      __syncthreads();
    }
    v = s[31 - t];
    sum += v * (t + 1);
  }
  out[t] = sum;
}
