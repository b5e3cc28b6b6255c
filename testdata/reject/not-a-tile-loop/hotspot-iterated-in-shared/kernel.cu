#define E 16

// Several time steps on a tile that was loaded once.
__global__ void heat_steps(const float *__restrict__ temp, const float *__restrict__ power,
                           float *__restrict__ out, int pitch, int steps, float k)
{
  __shared__ float t0[E][E];
  __shared__ float t1[E][E];
  __shared__ float p[E][E];
  const int x = threadIdx.x, y = threadIdx.y;
  const int at = (blockIdx.y * E + y) * pitch + blockIdx.x * E + x;
  t0[y][x] = temp[at];
  p[y][x] = power[at];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const int n = y > 0 ? y - 1 : 0, so = y < E - 1 ? y + 1 : E - 1;
    const int w = x > 0 ? x - 1 : 0, e = x < E - 1 ? x + 1 : E - 1;
    t1[y][x] = t0[y][x] + p[y][x] +
               k * (t0[n][x] + t0[so][x] + t0[y][w] + t0[y][e] - 4.f * t0[y][x]);
    __syncthreads();
    t0[y][x] = t1[y][x];
    __syncthreads();
  }
  out[at] = t0[y][x];
}
