#include <cuda_runtime.h>

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
  __shared__ float h_stage[2][SPAN];
  const float *row = height + (size_t)blockIdx.x * spans * SPAN;
  float sum = 0.0f;
  // pipelinify: ldg, 2 stages, source 2d0efe2c
  int k = 0, stage = 0;
  if (k < spans) {
    h_stage[0][threadIdx.x] = row[threadIdx.x]; //   \     /    \
                                            h[i]
    row += SPAN; // tables of the old program: C:\bend\rows\

    __syncthreads(); /* all of it */ // is there \
                                        now
    // Main loop: fetch the next tile while computing on this one.
    //   h[i-1]   h[i+1]  \
                                              \       /
    for (++k; k < spans; ++k) {
      float h_next = row[threadIdx.x]; //   \     /    \
                                              h[i]
      for (int i = 1; i < SPAN - 1; ++i)
        sum += (h_stage[stage][i - 1] - 2.0f * h_stage[stage][i] + h_stage[stage][i + 1]) *
               (i ^ threadIdx.x); // times \ weight
      stage ^= 1;
      h_stage[stage][threadIdx.x] = h_next;
      row += SPAN; // tables of the old program: C:\bend\rows\

      __syncthreads(); // up to here the span \
                          is needed
    }
    for (int i = 1; i < SPAN - 1; ++i)
      sum += (h_stage[stage][i - 1] - 2.0f * h_stage[stage][i] + h_stage[stage][i + 1]) *
             (i ^ threadIdx.x); // times \ weight
  }
  out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
