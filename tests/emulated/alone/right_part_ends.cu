// expect: 0 clean
// Only one warp meets at the barrier, when the other has ended: sm_70 goes on.
// also: of 64 threads 32 have ended before the others reach this barrier
// pipelinify: launch pairs
//   grid  2
//   block 64
//   a:    in  [128]
//   out:  out [128]
__global__ void pairs(const float *a, float *out) {
  __shared__ float tile[32];
  const int t = threadIdx.x, at = blockIdx.x * 64 + t;
  if (t < 32) {
    tile[t] = a[at];
    __syncthreads();
    out[at] = tile[t ^ 1];
  } else {
    out[at] = a[at];
  }
}
