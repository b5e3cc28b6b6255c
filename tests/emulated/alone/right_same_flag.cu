// expect: 0 clean
// Many threads of many blocks say the same.
// pipelinify: launch any_negative
//   sizes n=100
//   grid  (n + 31) / 32
//   block 32
//   x:    in    [n]
//   flag: inout [1] const(0)
//   n:    n
__global__ void any_negative(const float *x, int *flag, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n && x[i] < 0)
    *flag = 1;
}
