// The output pointer is moved along in the loop; neither it nor the inputs are
// __restrict__.
constexpr int R = 16;

__global__ void outer_updates(float *C, const float *a, const float *b, int n, int tiles)
{
  __shared__ float sa[R];
  __shared__ float sb[R];
  const int x = threadIdx.x, y = threadIdx.y;
  float *dst = C + blockIdx.x * R * n + y * n + x;

  for (int t = 0; t < tiles; ++t) {
    if (y == 0) sa[x] = a[t * R + x];
    else if (y == 1) sb[x] = b[t * R + x];
    __syncthreads();
    *dst = sa[y] * sb[x];
    dst += R;
    __syncthreads();
  }
}
