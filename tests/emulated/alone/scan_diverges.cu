// expect: 3 divergence
// Odd and even threads meet at two barriers.
// also: 1 of 64 threads wait at this barrier, and the others elsewhere: 63 (threads 1 to 63) at the barrier at line 19
// pipelinify: launch scan
//   sizes rows=1,3
//   grid  rows
//   block 64
//   x:    in  [64 * rows]
//   y:    out [64 * rows]
__global__ void scan(const int *x, int *y) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    if (t >= step) {
      s[1 - from][t] = s[from][t] + s[from][t - step];
      __syncthreads();
    } else {
      s[1 - from][t] = s[from][t];
      __syncthreads();
    }
    from = 1 - from;
  }
  y[blockIdx.x * 64 + t] = s[from][t];
}
