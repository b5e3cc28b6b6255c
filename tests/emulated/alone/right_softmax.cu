// expect: 0 clean
// Rows in dynamic shared memory; two exchanges through one array.
// pipelinify: launch softmax
//   sizes rows=2 cols=5,64,100
//   grid  rows
//   block 64
//   smem  4 * (cols + 64)
//   x:    in  [rows * cols]
//   y:    out [rows * cols]
//   cols: cols
__global__ void softmax(const float *__restrict__ x, float *__restrict__ y, int cols) {
  extern __shared__ float room[];
  float *row = room, *part = room + cols;
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    row[c] = x[c];
    most = fmaxf(most, row[c]);
  }
  part[threadIdx.x] = most;
  __syncthreads();
  for (int i = 0; i < blockDim.x; i++)
    most = fmaxf(most, part[i]);
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    row[c] = expf(row[c] - most);
    sum += row[c];
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < blockDim.x; i++)
    sum += part[i];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[c] = row[c] / sum;
}
