// x through shared memory, two halves by registers; rows of A prefetched in registers.
template <int TX>
__global__ void gemv_db(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  __shared__ float xs[2 * TX];
  const int r = blockIdx.x * TX + threadIdx.x;
  const float *ar = A + (size_t)(r < rows ? r : 0) * cols;
  float *now = xs, *then = xs + TX;
  float keep = 0.f, acc = 0.f;
  if (threadIdx.x < cols)
    now[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int base = 0; base < cols; base += TX) {
    if (base + TX < cols)
      keep = x[base + TX + threadIdx.x];
    float an = ar[base];
    for (int j = 0; j < TX; ++j) {
      float a = an;
      if (j + 1 < TX)
        an = ar[base + j + 1];
      acc += a * now[j];
    }
    then[threadIdx.x] = keep;
    __syncthreads();
    float *h = now;
    now = then;
    then = h;
  }
  if (r < rows)
    y[r] = acc;
}
void gemv(const float *A, const float *x, float *y, int m, int n) { gemv_db<128><<<(m + 127) / 128, 128>>>(A, x, y, m, n); }
