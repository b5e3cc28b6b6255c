// A tile is handed to a function that a template's argument names, of which no instantiation is
// in sight, to one behind a pointer, and to one of another file.
typedef float (*dot_of_row)(const int *tile, const float *scales, int row);

template <int ROWS, dot_of_row dot>
__global__ void __launch_bounds__(128)
    rows_by_argument(const int *__restrict__ x, const float *__restrict__ scales, float *__restrict__ y, int n) {
  __shared__ int tile[ROWS * 32];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 32) {
    for (int r = threadIdx.y; r < ROWS; r += 4)
      tile[r * 32 + threadIdx.x] = x[r * n + k + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < ROWS; ++r)
      sum += dot(tile, scales, r);
    __syncthreads();
  }
  y[threadIdx.y * 32 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(64)
    rows_by_pointer(const float *__restrict__ x, float *__restrict__ y, int n, float (*weigh)(float *, int)) {
  __shared__ float row[64];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    row[threadIdx.x] = x[k * 64 + threadIdx.x];
    __syncthreads();
    sum += weigh(row, k);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ float weigh_elsewhere(float *row, int k);

__global__ void __launch_bounds__(64)
    rows_by_another_file(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float row[64];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    row[threadIdx.x] = x[k * 64 + threadIdx.x];
    __syncthreads();
    sum += weigh_elsewhere(row, k);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
