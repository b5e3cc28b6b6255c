// expect: 3 race
// The last steps of the tree run in one warp, without anything that orders them.
// pipelinify: launch block_sum
//   sizes n=256,1000
//   grid  (n + 127) / 128
//   block 128
//   x:    in  [n]
//   sums: out [(n + 127) / 128]
//   n:    n
__global__ void block_sum(const float *x, float *sums, int n) {
  __shared__ float part[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0.f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 16; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  for (int half = 16; half > 0; half /= 2)
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}
