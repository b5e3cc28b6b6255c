/* Braces half a level in, as GNU has them, and comments wherever a header leaves room.  */

#include <cuda_pipeline.h>

// pipelinify: launch correlate
//   sizes  pieces=0,1,2,3,5 lags=1,3
//   target pieces=512 lags=2048
//   grid   lags
//   block  128
//   signal: in  [(pieces + 1) * 128 + lags] range(-1, 1)
//   filter: in  [pieces * 128] range(-1, 1)
//   out:    out [lags]
//   pieces: pieces
__global__ void
correlate (const double *__restrict__ signal, const double *__restrict__ filter,
           double *__restrict__ out, unsigned pieces)
{
  constexpr int stages = 3;
  __shared__ double taps_stage[stages][128];
  double sum = 0.0;

  /* One piece of the filter after the other.  */
  // pipelinify: cp.async, 3 stages, source 6c33ae2f
  unsigned piece_load = 0u;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
    {
      if (piece_load < pieces)
        {
          /* Every thread brings one of its taps.  */
          __pipeline_memcpy_async (&taps_stage[load_stage][threadIdx.x],
                                   &filter[piece_load * 128 + threadIdx.x], sizeof (double));
          ++piece_load;
        }
      __pipeline_commit ();
    };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile (load_stage);
  int stage = 0;
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (unsigned piece = 0u; piece < pieces; ++piece) // of 128 taps
    { // a piece
      __pipeline_wait_prior (stages - 2);
      __syncthreads ();
      copy_tile (stage == 0 ? stages - 1 : stage - 1);

      if (threadIdx.x == 0)
        for (int k = 0; k < 128; ++k)
          sum += taps_stage[stage][k] * signal[blockIdx.x + piece * 128 + k];

      stage = stage == stages - 1 ? 0 : stage + 1;
    }
  __pipeline_wait_prior (0);

  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
