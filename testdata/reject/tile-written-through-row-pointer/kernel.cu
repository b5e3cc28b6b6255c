template <int N>
__global__ void clip_and_sum(const float *__restrict__ src, float *__restrict__ dst, int tiles,
                             float cap)
{
  __shared__ float block[N][N];
  const int i = threadIdx.y, j = threadIdx.x;
  float sum = 0.0f;

  for (int t = 0; t < tiles; ++t) {
    block[i][j] = src[(t * N + i) * N + j];
    __syncthreads();
    float *mine = block[i];
    mine[j] = fminf(mine[j], cap);
    __syncthreads();
    for (int k = 0; k < N; ++k)
      sum += block[k][j];
    __syncthreads();
  }
  dst[(blockIdx.x * N + i) * N + j] = sum;
}

template __global__ void clip_and_sum<16>(const float *, float *, int, float);
