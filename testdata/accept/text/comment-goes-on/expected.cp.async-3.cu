#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define SPAN 64

// Second differences along a row, from a table of breakpoints.
// pipelinify: launch bend
//   sizes  spans=0,1,2,3,4,9 rows=1,2
//   target spans=2048 rows=2048
//   grid   rows
//   block  SPAN
//   let    SPAN = 64
//   height: in  [rows * spans * SPAN] range(-1, 1)
//   out:    out [rows * SPAN]
//   spans:  spans
__global__ void bend(const float *__restrict__ height, float *__restrict__ out, int spans)
{
  constexpr int stages = 3;
  __shared__ float h_stage[stages][SPAN];
  const float *row = height + (size_t)blockIdx.x * spans * SPAN;
  float sum = 0.0f;
  // pipelinify: cp.async, 3 stages, source 2d0efe2c
  int k_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k_load < spans) {
      __pipeline_memcpy_async(&h_stage[load_stage][threadIdx.x], &row[threadIdx.x], sizeof(float)); //   \     /    \
                                              h[i]
      row += SPAN; // tables of the old program: C:\bend\rows\

      ++k_load;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  //   h[i-1]   h[i+1]  \
                                            \       /
  for (int k = 0; k < spans; ++k) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads(); /* all of it */ // is there \
                                        now
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int i = 1; i < SPAN - 1; ++i)
      sum += (h_stage[stage][i - 1] - 2.0f * h_stage[stage][i] + h_stage[stage][i + 1]) *
             (i ^ threadIdx.x); // times \ weight
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
