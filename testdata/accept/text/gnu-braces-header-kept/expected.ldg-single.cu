/* Braces half a level in, as GNU has them, and comments wherever a header leaves room.  */

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
  __shared__ double taps[128];
  double sum = 0.0;

  /* One piece of the filter after the other.  */
  // pipelinify: ldg-single, 1 stage, source 6c33ae2f
  unsigned piece = 0u;
  unsigned int piece_tile = piece;
  if (piece < pieces)
    {
      /* Every thread brings one of its taps.  */
      taps[threadIdx.x] = filter[piece * 128 + threadIdx.x];
      __syncthreads ();
      // Main loop: fetch the next tile while computing on this one.
      // of 128 taps
      for (++piece; piece < pieces; ++piece)
        { // a piece
          /* Every thread brings one of its taps.  */
          double taps_next = filter[piece * 128 + threadIdx.x];

          if (threadIdx.x == 0)
            for (int k = 0; k < 128; ++k)
              sum += taps[k] * signal[blockIdx.x + piece_tile * 128 + k];
          ++piece_tile;

          __syncthreads ();
          taps[threadIdx.x] = taps_next;
          __syncthreads ();
        }
      if (threadIdx.x == 0)
        for (int k = 0; k < 128; ++k)
          sum += taps[k] * signal[blockIdx.x + piece_tile * 128 + k];
    }

  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
