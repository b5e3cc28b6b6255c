// The tile loop is fine; the tree reduction behind it has a buffer of its own.
template <int BLOCK>
__global__ void tiled_norm(const double *__restrict__ m, double *__restrict__ norm, int n)
{
  __shared__ double tile[BLOCK];
  __shared__ double red[BLOCK];
  const int t = threadIdx.x;
  double s = 0.0;
  const double *p = m + (size_t)blockIdx.x * n;

  for (const double *e = p + n; p < e; p += BLOCK) {
    tile[t] = p[t];
    __syncthreads();
    for (int j = 0; j < BLOCK; j += 8)
      s += tile[t] * tile[(t + j) % BLOCK];
    __syncthreads();
  }

  red[t] = s;
  __syncthreads();
  for (int w = BLOCK / 2; w > 0; w /= 2) {
    if (t < w) red[t] += red[t + w];
    __syncthreads();
  }
  if (t == 0) norm[blockIdx.x] = red[0];
}

template __global__ void tiled_norm<128>(const double *, double *, int);
