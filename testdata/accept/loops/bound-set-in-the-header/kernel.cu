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
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    int m = 128;
    for (int i = (m /= 2, threadIdx.x); i < m; i += blockDim.x)
      xs[i] = x[blockIdx.x * d + c + i];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k] * (k + 1);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = acc;
}
