// expect: 3 unwritten read
// Adds to a result that nobody has cleared.
// also: result_read_unwritten.cu:22: reads what nothing has written of 'norm'
// pipelinify: launch axpy_norm
//   sizes n=96
//   grid  (n + 31) / 32
//   block 32
//   a:    1.5f
//   x:    in  [n]
//   y:    inout [n]
//   norm: out [1]
//   n:    n
__global__ void axpy_norm(float a, const float *x, float *y, float *norm, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? a * x[i] + y[i] : 0.f;
  if (i < n)
    y[i] = v;
  float square = v * v;
  for (int by = 16; by; by /= 2)
    square += __shfl_down_sync(0xffffffffu, square, by);
  if (threadIdx.x == 0)
    atomicAdd(norm, square);
}
