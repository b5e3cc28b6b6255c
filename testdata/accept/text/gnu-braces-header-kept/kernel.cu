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
  for (unsigned piece = 0u; piece < pieces; ++piece) // of 128 taps
    { // a piece
      /* Every thread brings one of its taps.  */
      taps[threadIdx.x] = filter[piece * 128 + threadIdx.x];

      __syncthreads ();

      if (threadIdx.x == 0)
        for (int k = 0; k < 128; ++k)
          sum += taps[k] * signal[blockIdx.x + piece * 128 + k];

      __syncthreads ();
    }

  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
