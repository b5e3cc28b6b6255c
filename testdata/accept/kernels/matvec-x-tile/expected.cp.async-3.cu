// Matrix-vector product, one thread a row, only the vector goes through shared memory; the matrix is read straight in the compute part.
#include <cuda_runtime.h>
#include <algorithm>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float xs_stage[stages][128];
  const size_t row = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  float dot = 0;

  // cols is a multiple of 128; At is the transposed matrix
  // pipelinify: cp.async, 3 stages, source 15e54d06
  size_t c_load = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load != cols) {
      __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.x], &x[c_load + threadIdx.x], sizeof(float));
      c_load += 128;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  int stage = 0;
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (size_t c = 0; c != cols; c += 128) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    if (row < rows) {
      for (int k = 0; k < 128; k++) {
        dot += At[(c + k) * rows + row] * xs_stage[stage][k];
      }
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  __syncthreads();

  if (row < rows) y[row] = alpha * dot + beta * y[row];
}
