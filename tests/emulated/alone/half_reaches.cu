// expect: 3 divergence
// Half of the block waits for the other half, which waits for a lane of its own warp.
// also: 40 of 64 threads wait at this barrier, and the others never come: 24 (threads 8 to 31) at the warp operation at line 18
// pipelinify: launch fold
//   sizes n=64
//   grid  2
//   block 64
//   a:    in  [128]
//   out:  out [128]
//   n:    n
__global__ void fold(const float *a, float *out, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  tile[t] = a[blockIdx.x * n + t];
  if (t < 8 || t >= 32)
    __syncthreads();
  else
    out[blockIdx.x * n + t] = __ballot_sync(0xffffffffu, tile[t] > 0);
  if (t < 8 || t >= 32)
    out[blockIdx.x * n + t] = tile[t] + tile[t ^ 1];
}
