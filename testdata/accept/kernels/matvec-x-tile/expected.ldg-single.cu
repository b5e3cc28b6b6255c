// Matrix-vector product, one thread a row, only the vector goes through shared memory; the matrix is read straight in the compute part.
#include <cuda_runtime.h>
#include <algorithm>

// pipelinify: launch matvec
//   sizes    rows=128 cols=0,128,256,384,512,640,896
//   sizes    rows=200,1 cols=256
//   requires cols % 128 == 0
//   target   rows=65536 cols=8192
//   grid     (rows + 127) / 128
//   block    128
//   At:      in  [cols * rows] random
//   x:       in  [cols] random
//   y:       inout [rows] random
//   alpha:   2.0
//   beta:    -0.5
//   rows:    rows
//   cols:    cols
//   work     flops 2 * rows * cols
//   work     bytes 4 * rows * cols
__global__ void matvec(const float* const At, const float* const x, float* const y,
                       const float alpha, const float beta,
                       const size_t rows, const size_t cols)
{
  __shared__ float xs[128];
  const size_t row = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  float dot = 0;

  // cols is a multiple of 128; At is the transposed matrix
  // pipelinify: ldg-single, 1 stage, source 15e54d06
  size_t c = 0;
  size_t c_tile = c;
  if (c != cols) {
    auto compute_tile = [&]() {
      if (row < rows) {
        for (int k = 0; k < 128; k++) {
          dot += At[(c_tile + k) * rows + row] * xs[k];
        }
      }
    };
    xs[threadIdx.x] = x[c + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (c += 128; c != cols; c += 128) {
      float xs_next = x[c + threadIdx.x];
      compute_tile();
      c_tile += 128;
      __syncthreads();
      xs[threadIdx.x] = xs_next;
      __syncthreads();
    }
    compute_tile();
    __syncthreads();
  }

  if (row < rows) y[row] = alpha * dot + beta * y[row];
}
