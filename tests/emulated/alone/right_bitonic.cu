// expect: 0 clean
// pipelinify: launch sort_rows
//   sizes rows=1,4
//   grid  rows
//   block 64
//   keys: inout [rows * 128]
__global__ void sort_rows(int *keys) {
  __shared__ int s[128];
  int *row = keys + blockIdx.x * 128;
  s[threadIdx.x] = row[threadIdx.x];
  s[threadIdx.x + 64] = row[threadIdx.x + 64];
  for (int size = 2; size <= 128; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      int at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      bool up = (at & size) == 0;
      if ((s[at] > s[at + stride]) == up) {
        int keep = s[at];
        s[at] = s[at + stride];
        s[at + stride] = keep;
      }
    }
  __syncthreads();
  row[threadIdx.x] = s[threadIdx.x];
  row[threadIdx.x + 64] = s[threadIdx.x + 64];
}
