// expect: 3 out-of-bounds
// The last block reads past the end of a matrix whose rows are no multiple of 16.
// pipelinify: launch column_sums
//   sizes rows=16,40
//   grid  1
//   block 32
//   m:    in  [rows * 32]
//   sums: out [32]
//   rows: rows
__global__ void column_sums(const float *m, float *sums, int rows) {
  __shared__ float slab[16][33];
  float sum = 0;
  int r = 0;
  while (r < rows) {
#pragma unroll
    for (int i = 0; i < 16; i++)
      slab[i][threadIdx.x] = m[(r + i) * 32 + threadIdx.x];
    __syncwarp();
    for (int i = 0; i < 16 && r + i < rows; i++)
      sum += slab[i][threadIdx.x];
    __syncwarp();
    r += 16;
  }
  sums[threadIdx.x] = sum;
}
