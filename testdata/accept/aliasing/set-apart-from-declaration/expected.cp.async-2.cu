#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  // pipelinify: cp.async, 2 stages, source 3ee57dce
  int at_load = at, left_load = left, stage = 0;
  bool more = true;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (more) {
      __pipeline_memcpy_async(&batch_stage[load_stage][threadIdx.x], &row[at_load + threadIdx.x], sizeof(float),
                              (threadIdx.x < left_load) ? 0 : sizeof(float));

      at_load += BATCH;
      left_load = n - at_load;
      more = left_load > 0;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  do {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int i = 0; i < BATCH; ++i)
      sum += batch_stage[stage][i] * (left - i - (int)threadIdx.x);

    at += BATCH;
    left = n - at;
    stage ^= 1;
  } while (left > 0);
  __pipeline_wait_prior(0);
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
  // pipelinify: cp.async, 2 stages, source a4c3e279
  int done_load = done, left_load = left, stage = 0;
  bool more = done_load++ < batches;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (more) {
      __pipeline_memcpy_async(&batch_stage[load_stage][threadIdx.x], &row[(done_load - 1) * BATCH + threadIdx.x],
                              sizeof(float), (threadIdx.x < left_load) ? 0 : sizeof(float));

      left_load = (batches - done_load) * BATCH;
      more = done_load++ < batches;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  while (done++ < batches) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int i = 0; i < BATCH; ++i)
      sum += batch_stage[stage][i] * (left - i - (int)threadIdx.x);

    left = (batches - done) * BATCH;
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  out[blockIdx.x * BATCH + threadIdx.x] = sum + left;
}
