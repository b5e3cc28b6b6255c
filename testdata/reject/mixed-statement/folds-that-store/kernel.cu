// Folds over packs that store into tiles, or wait.
template <int... I>
struct numbers {};

// Each element of the pack is a store of its own, in one expression.
template <int... I>
__global__ void __launch_bounds__(64)
    rows_by_a_fold(const float *__restrict__ x, float *__restrict__ y, int tiles, numbers<I...>) {
  __shared__ float tile[64 * sizeof...(I)];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    ((tile[threadIdx.x + 64 * I] = x[(t * sizeof...(I) + I) * 64 + threadIdx.x]), ...);
    __syncthreads();
    for (int k = 0; k < 64 * sizeof...(I); ++k)
      sum += tile[k] * (float)(k ^ threadIdx.x);
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The block waits once for each element.
template <int... I>
__global__ void __launch_bounds__(64)
    waits_by_a_fold(const float *__restrict__ x, float *__restrict__ y, int tiles, numbers<I...>) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = x[t * 64 + threadIdx.x];
    ((__syncthreads(), sum += tile[(threadIdx.x + I) & 63]), ...);
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, float *y, int tiles) {
  rows_by_a_fold<<<1, 64>>>(x, y, tiles, numbers<0, 1, 2>{});
  waits_by_a_fold<<<1, 64>>>(x, y, tiles, numbers<0, 5>{});
}
