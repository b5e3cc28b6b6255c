#include <cuda_runtime.h>

#define BATCH 32

/* Weighted histogram moments in the old style: variables are declared at the
 * top of the block and set below, before the loop and at the end of its body. */
// pipelinify: launch moments_down
//   sizes   batches=1,2,3,4,5,9 rows=1,2
//   target  batches=2000 rows=2048
//   grid    rows
//   block   BATCH
//   let     BATCH = 32
//   values: in  [rows * batches * BATCH] range(-1, 1)
//   out:    out [rows * BATCH]
//   n:      batches * BATCH - 5
//   pitch:  batches * BATCH
__global__ void moments_down(const float *__restrict__ values, float *__restrict__ out, int n, int pitch)
{
  __shared__ float batch_stage[2][BATCH];
  const float *row = values + (size_t)blockIdx.x * pitch;
  int at, left;
  float sum;

  at = 0;
  left = n;
  sum = 0.0f;
  // pipelinify: ldg, 2 stages, source 3ee57dce
  int at_tile = at;
  int left_tile = left;
  int stage = 0;
  auto compute_tile = [&]() {
    for (int i = 0; i < BATCH; ++i)
      sum += batch_stage[stage][i] * (left_tile - i - (int)threadIdx.x);

    at_tile += BATCH;
    left_tile = n - at_tile;
  };
  batch_stage[0][threadIdx.x] = threadIdx.x < left ? row[at + threadIdx.x] : 0.0f;

  at += BATCH;
  left = n - at;
  __syncthreads();
  // Main loop: fetch the next tile while computing on this one.
  while (left > 0) {
    float batch_next = threadIdx.x < left ? row[at + threadIdx.x] : 0.0f;
    compute_tile();
    stage ^= 1;
    batch_stage[stage][threadIdx.x] = batch_next;
    at += BATCH;
    left = n - at;
    __syncthreads();
  }
  compute_tile();
  out[blockIdx.x * BATCH + threadIdx.x] = sum;
}

// pipelinify: launch moments_counted
//   sizes   batches=0,1,2,3,4,5,9 rows=1,2
//   target  batches=2000 rows=2048
//   grid    rows
//   block   BATCH
//   let     BATCH = 32
//   values: in  [rows * batches * BATCH] range(-1, 1)
//   out:    out [rows * BATCH]
//   batches: batches
__global__ void moments_counted(const float *__restrict__ values, float *__restrict__ out, int batches)
{
  __shared__ float batch_stage[2][BATCH];
  const float *row = values + (size_t)blockIdx.x * batches * BATCH;
  int done = 0, left;
  float sum = 0.0f;

  left = batches * BATCH;
  // pipelinify: ldg, 2 stages, source a4c3e279
  if (done++ < batches) {
    int done_tile = done;
    int left_tile = left;
    int stage = 0;
    auto compute_tile = [&]() {
      for (int i = 0; i < BATCH; ++i)
        sum += batch_stage[stage][i] * (left_tile - i - (int)threadIdx.x);

      left_tile = (batches - done_tile) * BATCH;
    };
    batch_stage[0][threadIdx.x] = threadIdx.x < left ? row[(done - 1) * BATCH + threadIdx.x] : 0.0f;

    left = (batches - done) * BATCH;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (done++ < batches) {
      float batch_next = threadIdx.x < left ? row[(done - 1) * BATCH + threadIdx.x] : 0.0f;
      compute_tile();
      done_tile++;
      stage ^= 1;
      batch_stage[stage][threadIdx.x] = batch_next;
      left = (batches - done) * BATCH;
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * BATCH + threadIdx.x] = sum + left;
}
