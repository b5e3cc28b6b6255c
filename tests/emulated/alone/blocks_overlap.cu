// expect: 3 race
// Each block clears the cell behind its own, which is the next block's first.
// also: blocks_overlap.cu:15: race between blocks on 'y' byte 256 (thread 0; another block writes it at blocks_overlap.cu:17)
// pipelinify: launch halves
//   sizes n=128,200
//   grid  (n + 63) / 64
//   block 64
//   x:    in  [n]
//   y:    out [n + 1]
//   n:    n
__global__ void halves(const float *x, float *y, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  y[i] = 0.5f * x[i];
  if (threadIdx.x == 63 || i == n - 1)
    y[i + 1] = 0.f;
}
