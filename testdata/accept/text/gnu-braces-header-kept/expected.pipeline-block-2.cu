/* Braces half a level in, as GNU has them, and comments wherever a header leaves room.  */

#include <cooperative_groups.h>
#include <cuda/pipeline>

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
  __shared__ double taps_stage[2][128];
  double sum = 0.0;

  /* One piece of the filter after the other.  */
  // pipelinify: pipeline-block, 2 stages, source 6c33ae2f
  #pragma nv_diagnostic push
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
  #pragma nv_diagnostic pop
  auto pipe = cuda::make_pipeline (cooperative_groups::this_thread_block (), &pipe_state);
  unsigned piece_load = 0u;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
    {
      pipe.producer_acquire ();
      if (piece_load < pieces)
        {
          /* Every thread brings one of its taps.  */
          cuda::memcpy_async (cooperative_groups::this_thread_block (), taps_stage[load_stage],
                              &filter[piece_load * 128], sizeof (double) * blockDim.x, pipe);
          ++piece_load;
        }
      pipe.producer_commit ();
    };
  copy_tile (0);
  int stage = 0;
  // Main loop: 1 tile is in flight while computing on one.
  for (unsigned piece = 0u; piece < pieces; ++piece) // of 128 taps
    { // a piece
      copy_tile (stage ^ 1);
      pipe.consumer_wait ();

      if (threadIdx.x == 0)
        for (int k = 0; k < 128; ++k)
          sum += taps_stage[stage][k] * signal[blockIdx.x + piece * 128 + k];

      pipe.consumer_release ();
      stage ^= 1;
    }
  pipe.consumer_wait ();
  pipe.consumer_release ();

  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
