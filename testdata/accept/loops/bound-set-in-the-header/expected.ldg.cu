// Copy loops whose headers set their own bounds, once.
//
// pipelinify: launch row_sums
//   sizes  n=1 d=0,64,128,320
//   sizes  n=3 d=192
//   target n=65536 d=4096
//   grid   n
//   block  32
//   x:   in  [n * d + 1] random
//   out: out [n]
//   n:   n
//   d:   d
__global__ void row_sums(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs_stage[2][64];
  float acc = 0.f;
  // pipelinify: ldg, 2 stages, source 96fb5402
  int c = 0, stage = 0;
  if (c < d) {
    {
      int m = 128;
      for (int i = (m /= 2, threadIdx.x); i < m; i += blockDim.x)
        xs_stage[0][i] = x[blockIdx.x * d + c + i];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (c += 64; c < d; c += 64) {
      float xs_next[2];
      int m = 128;
      #pragma unroll
      for (int i = (m /= 2, threadIdx.x), slot = 0; slot < 2 && i < m; i += blockDim.x, ++slot) {
        xs_next[slot] = x[blockIdx.x * d + c + i];
      }
      for (int k = 0; k < 64; ++k)
        acc += xs_stage[stage][k] * (k + 1);
      stage ^= 1;
      {
        int m = 128;
        {
          int i = (m /= 2, threadIdx.x);
          #pragma unroll
          for (int slot = 0; slot < 2 && i < m; i += blockDim.x, ++slot) {
            xs_stage[stage][i] = xs_next[slot];
          }
          for (; i < m; i += blockDim.x)
            xs_stage[stage][i] = x[blockIdx.x * d + c + i];
        }
      }
      __syncthreads();
    }
    for (int k = 0; k < 64; ++k)
      acc += xs_stage[stage][k] * (k + 1);
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = acc;
}
