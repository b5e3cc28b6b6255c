#define TILE 32

// The barrier that guards the refill also asks whether anybody saw a NaN.
__global__ void nan_aware_mm(const float *__restrict__ A, const float *__restrict__ B,
                             float *__restrict__ C, int *__restrict__ poisoned, int n)
{
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * TILE + ty, c = blockIdx.x * TILE + tx;
  float acc = 0.f;
  int bad = 0;
  for (int k = 0; k < n; k += TILE) {
    a[ty][tx] = A[r * n + k + tx];
    b[ty][tx] = B[(k + ty) * n + c];
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      acc += a[ty][i] * b[i][tx];
    bad |= __syncthreads_or(acc != acc);
  }
  C[r * n + c] = acc;
  if (tx == 0 && ty == 0) poisoned[blockIdx.y * gridDim.x + blockIdx.x] = bad;
}
