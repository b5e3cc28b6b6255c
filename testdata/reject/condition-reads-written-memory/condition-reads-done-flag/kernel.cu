__global__ void K(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[32];
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  float acc = 0.f;
  for (int k = 0; k < n && !done; k += 32) {
    s[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
    __syncthreads();
    for (int i = 0; i < 32; ++i) acc += s[i];
    if (acc > 100.f) done = 1;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = acc;
}
