#define TILE 32
#define FOR_TILES(var, extent) \
  for (int var = 0; var < (extent) / TILE; ++var)

__global__ void gram_column(const double *__restrict__ X,
                            double *__restrict__ G, int rows, int cols)
{
  __shared__ double left[TILE];
  __shared__ double right[TILE][TILE + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int me = blockIdx.x * TILE;
  double g = 0.0;

  FOR_TILES(t, rows) {
    if (ty == 0)
      left[tx] = X[(size_t)(t * TILE + tx) * cols + blockIdx.y];
    right[ty][tx] = X[(size_t)(t * TILE + ty) * cols + me + tx];
    __syncthreads();
    if (ty == 0)
      for (int i = 0; i < TILE; ++i) g += left[i] * right[i][tx];
    __syncthreads();
  }
  if (ty == 0) G[(size_t)blockIdx.y * cols + me + tx] = g;
}
