#define W 16
#define SYNC_ALWAYS 1

__global__ void always(const float *__restrict__ a, float *__restrict__ o, int n)
{
  __shared__ float s[W][W];
  const int x = threadIdx.x, y = threadIdx.y;
  float r = 0.f;
  for (int k = 0; k < n; k += W)
  {
    s[y][x] = a[(blockIdx.x * W + y) * n + k + x];
    __syncthreads();
    for (int i = 0; i < W; ++i) r += s[i][x] * s[y][i];
    __syncthreads();
  }
  o[(blockIdx.x * W + y) * W + x] = r;
}

__global__ void switched(const float *__restrict__ a, float *__restrict__ o, int n, int mode)
{
  __shared__ float s[W][W];
  const int x = threadIdx.x, y = threadIdx.y;
  float r = 0.f;
  for (int k = 0; k < n; k += W) {
    s[y][x] = a[(blockIdx.x * W + y) * n + k + x];
    switch (mode) {
    case SYNC_ALWAYS: __syncthreads(); break;
    default: __syncwarp(); break;
    }
    for (int i = 0; i < W; ++i) r += s[i][x] * s[y][i];
    __syncthreads();
  }
  o[(blockIdx.x * W + y) * W + x] = r;
}
