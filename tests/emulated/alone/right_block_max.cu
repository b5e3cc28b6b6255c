// expect: 0 clean
// pipelinify: launch block_max<256>
//   sizes n=256,777
//   grid  (n + 255) / 256
//   block 256
//   x:    in  [n]
//   best: out [(n + 255) / 256]
//   n:    n
template <int THREADS>
__global__ void block_max(const int *x, int *best, int n) {
  __shared__ int of_warp[THREADS / 32];
  int i = blockIdx.x * THREADS + threadIdx.x;
  int v = i < n ? x[i] : -2147483647;
  for (int by = 16; by; by >>= 1)
    v = max(v, __shfl_xor_sync(0xffffffffu, v, by));
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < THREADS / 32 ? of_warp[threadIdx.x] : -2147483647;
    for (int by = 16; by; by >>= 1)
      v = max(v, __shfl_xor_sync(0xffffffffu, v, by));
    if (threadIdx.x == 0)
      best[blockIdx.x] = v;
  }
}
