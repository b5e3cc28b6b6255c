#define SPAN 64
#define OVER(var, count) var = 0; var < (count); var += SPAN
#define UP_TO(var, count) var < (count); var += SPAN
#define BEGIN {
#define ALL_DONE __syncthreads(); }

// Autocorrelation at one lag: the macros came with the first version, in C.
__global__ void lag_products(const float *__restrict__ x, float *__restrict__ out, int n, int lag)
{
  __shared__ float a[SPAN], b[SPAN];
  const int lane = threadIdx.x;
  float sum = 0.0f;
  for (int OVER(k, n)) {
    a[lane] = x[k + lane];
    b[lane] = x[k + lane + lag];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
      sum += a[i] * b[i ^ lane];
    __syncthreads();
  }
  for (int k = 0; UP_TO(k, n)) {
    a[lane] = x[k + lane];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
      sum += a[i] * a[i ^ lane];
    __syncthreads();
  }
  for (int k = 0; k < n; k += SPAN) {
    b[lane] = x[k + lane];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
      sum -= b[i] * b[i ^ lane];
  ALL_DONE
  for (int k = 0; k < n; k += SPAN) BEGIN
    a[lane] = x[k + lane] * x[k + lane];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
      sum -= a[i] * a[i ^ lane];
    __syncthreads();
  }
  for (int k = 0; k < n; k += SPAN) {
    a[lane] = x[k + lane];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
      sum += a[i] * (i ^ lane);
    __syncthreads();
  }
  out[blockIdx.x * SPAN + lane] = sum;
}
