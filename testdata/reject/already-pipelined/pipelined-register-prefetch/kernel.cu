#define BS 16

// Register prefetch with one buffer: the next tile waits in two registers.
__global__ void mm_prefetch(const float *__restrict__ A, const float *__restrict__ B,
                            float *__restrict__ C, int N)
{
  __shared__ float As[BS][BS];
  __shared__ float Bs[BS][BS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const float *a = A + (blockIdx.y * BS + ty) * N + tx;
  const float *b = B + ty * N + blockIdx.x * BS + tx;
  float ra = *a, rb = *b;
  float sum = 0.f;
  const int tiles = N / BS;

  for (int t = 0; t < tiles; ++t) {
    As[ty][tx] = ra;
    Bs[ty][tx] = rb;
    __syncthreads();
    a += BS;
    b += BS * N;
    if (t + 1 < tiles) {
      ra = *a;
      rb = *b;
    }
    for (int k = 0; k < BS; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[(blockIdx.y * BS + ty) * N + blockIdx.x * BS + tx] = sum;
}
