// expect: 0 clean
// pipelinify: launch histogram
//   sizes n=500
//   grid  2
//   block 256
//   keys: in    [n] below(64)
//   bins: inout [64] const(0)
//   n:    n
__global__ void histogram(const unsigned *keys, unsigned *bins, int n) {
  __shared__ unsigned mine[64];
  if (threadIdx.x < 64)
    mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&mine[keys[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
