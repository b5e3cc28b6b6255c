// The row that is filled moves on by one from tile to tile; the other rows keep
// what earlier iterations left there.
constexpr int HIST = 8;

__global__ void moving_window_dot(const float *__restrict__ x, const float *__restrict__ w,
                                  float *__restrict__ y, int steps)
{
  __shared__ float hist[HIST][64];
  const int t = threadIdx.x;
  float acc = 0.f;
  for (int s = 0; s < steps; ++s) {
    hist[s % HIST][t] = x[s * 64 + t];
    __syncthreads();
    if (s >= HIST - 1)
      for (int h = 0; h < HIST; ++h)
        acc += w[h] * hist[(s + 1 + h) % HIST][63 - t];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = acc;
}
