// expect: 0 clean
// The block that takes the last ticket adds up what the others have left.
// pipelinify: launch total
//   sizes n=64,300
//   grid  4
//   block 64
//   x:      in    [n]
//   part:   out   [4]
//   ticket: inout [1] const(0)
//   sum:    out   [1]
//   n:      n
__global__ void total(const int *x, int *part, unsigned *ticket, int *sum, int n) {
  __shared__ int s[64];
  __shared__ bool last;
  int mine = 0;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
    mine += x[i];
  s[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; b++)
      all += part[b];
    *sum = all;
  }
}
