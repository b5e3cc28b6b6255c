// Asks the block after every tile whether anybody still has work, by a name of the iteration.
template <int TILE>
__global__ void until_all_found(const unsigned *__restrict__ hay, const unsigned *__restrict__ pin,
                                int *__restrict__ at, int tiles)
{
  __shared__ unsigned h[TILE];
  const int t = threadIdx.x;
  const unsigned key = pin[blockIdx.x * TILE + t];
  int last = -1;
  for (int k = 0; k < tiles; ++k) {
    int &found = last; h[t] = hay[k * TILE + t];
    __syncthreads();
    for (int j = 0; j < TILE; ++j)
      if (found < 0 && h[j] == key) found = k * TILE + j;
    if (__syncthreads_and(found >= 0)) break;
  }
  at[blockIdx.x * TILE + t] = last;
}

template __global__ void until_all_found<128>(const unsigned *, const unsigned *, int *, int);
