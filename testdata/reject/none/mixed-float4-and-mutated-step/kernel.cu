#define F4(p) (*reinterpret_cast<float4 *>(&(p)))
#define CF4(p) (*reinterpret_cast<const float4 *>(&(p)))

__global__ void __launch_bounds__(64)
panel_sum(const float *__restrict__ a, float *__restrict__ b, int tiles)
{
  __shared__ __align__(16) float s[256];
  const int t = threadIdx.x;
  float acc = 0.f;
  for (int k = 0; k < tiles; ++k) {
    F4(s[4 * t]) = CF4(a[k * 256 + 4 * t]);
    __syncthreads();
    for (int j = 0; j < 256; ++j) acc += s[j] * (float)(j % (t + 1));
    __syncthreads();
  }
  b[blockIdx.x * 64 + t] = acc;
}

// Skips one panel more every time: `gap` is no constant, and either side may work it out.
__global__ void __launch_bounds__(64)
panel_sum_sparse(const float *__restrict__ a, float *__restrict__ b, int tiles)
{
  __shared__ __align__(16) float s[256];
  const int t = threadIdx.x;
  float acc = 0.f;
  int gap = 1;
  for (int k = 0; k < tiles; k += gap) {
    F4(s[4 * t]) = CF4(a[k * 256 + 4 * t]);
    __syncthreads();
    for (int j = 0; j < 256; ++j) acc += s[j] * (float)(j % (t + 1));
    __syncthreads();
    gap++;
  }
  b[blockIdx.x * 64 + t] = acc;
}
