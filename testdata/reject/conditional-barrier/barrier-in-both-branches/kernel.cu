__global__ void __launch_bounds__(256)
split_roles(const float *__restrict__ a, const float *__restrict__ b,
            float *__restrict__ c, int n)
{
  __shared__ float lo[128];
  __shared__ float hi[128];
  const int t = threadIdx.x;
  float s = 0.f;

  for (int i = 0; i < n; i += 128) {
    if (t < 128) {
      lo[t] = a[i + t];
      __syncthreads();
      s += hi[t];
    } else {
      hi[t - 128] = b[i + t - 128];
      __syncthreads();
      s -= lo[t - 128];
    }
    __syncthreads();
  }
  c[blockIdx.x * 256 + t] = s;
}
