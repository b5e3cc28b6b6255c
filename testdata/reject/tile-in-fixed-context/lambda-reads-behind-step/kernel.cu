#define BINS 64

// The lambda is asked on both sides of the step, and sees what `at` is there.
__global__ void shifted(const float *__restrict__ x, float *__restrict__ out, int n)
{
  __shared__ float tile[BINS];
  float sum = 0.0f;
  int at = 0;
  while (at < n) {
    auto place = [&](int i) { return at + i; };
    tile[threadIdx.x] = x[place(threadIdx.x)];
    at += BINS;
    __syncthreads();
    for (int i = 0; i < BINS; ++i)
      sum += tile[i] * place(i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * BINS + threadIdx.x] = sum;
}
