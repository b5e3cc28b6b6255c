#define TX 16

// -DCHECK_NAN turns on a scan of the tile that has a barrier of its own.
__global__ void mm_checked(const float* __restrict__ A, const float* __restrict__ B,
                           float* __restrict__ C, int* __restrict__ bad, int n) {
  __shared__ float a[TX][TX];
  __shared__ float b[TX][TX];
  int j = threadIdx.x, i = threadIdx.y;
  int col = blockIdx.x * TX + j, row = blockIdx.y * TX + i;
  float c = 0.f;
  for (int t = 0; t < n / TX; t++) {
    a[i][j] = A[row * n + t * TX + j];
    b[i][j] = B[(t * TX + i) * n + col];
    __syncthreads();
#ifdef CHECK_NAN
    if (isnan(a[i][j]) || isnan(b[i][j])) *bad = t;
    __syncthreads();
#endif
    for (int k = 0; k < TX; k++) c = fmaf(a[i][k], b[k][j], c);
    __syncthreads();
  }
  C[row * n + col] = c;
}
