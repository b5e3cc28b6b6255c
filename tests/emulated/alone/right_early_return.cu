// expect: 0 clean
// Threads beyond the end leave; the barrier is one of those that stay (sm_70).
// also: of 64 threads 28 have ended before the others reach this barrier [n=100]
// pipelinify: launch reverse_pairs
//   sizes n=64,100
//   grid  (n + 63) / 64
//   block 64
//   a:    in  [n]
//   b:    out [n]
//   n:    n
__global__ void reverse_pairs(const short *a, short *b, int n) {
  __shared__ short pair[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  pair[threadIdx.x] = a[i];
  __syncthreads();
  b[i] = pair[threadIdx.x ^ 1];
}
