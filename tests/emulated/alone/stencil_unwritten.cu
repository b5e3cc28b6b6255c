// expect: 3 uninitialised shared read
// The right halo is loaded by threads that the last block does not have.
// pipelinify: launch smooth
//   sizes n=64,130
//   grid  (n + 63) / 64
//   block 64
//   in:   in  [n]
//   out:  out [n]
//   n:    n
#define HALO 2
__global__ void smooth(const double *in, double *out, int n) {
  __shared__ double line[64 + 2 * HALO];
  int i = blockIdx.x * 64 + threadIdx.x, at = threadIdx.x + HALO;
  line[at] = i < n ? in[i] : 0.0;
  if (threadIdx.x < HALO)
    line[threadIdx.x] = i >= HALO ? in[i - HALO] : 0.0;
  if (threadIdx.x >= 64 - HALO && i + HALO < n)
    line[at + HALO] = in[i + HALO];
  __syncthreads();
  double sum = 0;
  for (int k = -HALO; k <= HALO; k++)
    sum += line[at + k];
  if (i < n)
    out[i] = sum / (2 * HALO + 1);
}
