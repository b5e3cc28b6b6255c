// Two kernels of one file, and some that take other arguments.
// pipelinify: launch flip
//   sizes n=1,100
//   grid  (n + 63) / 64
//   block 64
//   in:   in  [n]
//   out:  out [n]
//   n:    n
__global__ void flip(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    out[i] = 255 - in[i];
}
__global__ void flip_loop(const unsigned char *in, unsigned char *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = ~in[i];
}
__global__ void flip_most(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && i != 70)
    out[i] = 255 - in[i];
}
__global__ void flip_counted(const unsigned char *in, unsigned char *out, unsigned n) {
  if (threadIdx.x < n)
    out[threadIdx.x] = 255 - in[threadIdx.x];
}
__global__ void flip_by(const unsigned char *in, unsigned char *out, int n, int by) {
  if (threadIdx.x < n)
    out[threadIdx.x] = by - in[threadIdx.x];
}
__global__ void flip_racing(const unsigned char *in, unsigned char *out, int n) {
  __shared__ unsigned char last;
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    last = in[i];
    out[i] = 255 - in[i];
  }
}
// Right where blocks run in their order.
__global__ void flip_spilling(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    out[i] = 255 - in[i];
  if (threadIdx.x == 63 && i + 1 < n)
    out[i + 1] = 0;
}
