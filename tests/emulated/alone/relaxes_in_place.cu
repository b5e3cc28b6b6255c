// expect: 3 race
// A step of a relaxation that reads its neighbours' new values, or old ones.
// pipelinify: launch relax
//   sizes n=96
//   grid  n / 32
//   block 32
//   u:    inout [n]
//   n:    n
__global__ void relax(float *u, int n) {
  __shared__ float tile[34];
  int i = blockIdx.x * 32 + threadIdx.x, t = threadIdx.x + 1;
  tile[t] = u[i];
  if (threadIdx.x == 0)
    tile[0] = i > 0 ? u[i - 1] : 0.f;
  if (threadIdx.x == 31)
    tile[33] = i + 1 < n ? u[i + 1] : 0.f;
  __syncthreads();
  u[i] = 0.25f * tile[t - 1] + 0.5f * tile[t] + 0.25f * tile[t + 1];
}
