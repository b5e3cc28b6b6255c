// Places in a tile that are remainders of what goes on with the loop, and move with it.

// Two halves, turn by turn, and both are read.
__global__ void __launch_bounds__(64)
    halves_in_turn(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const unsigned q = t * 64 + threadIdx.x;
    s[q % 128] = x[q];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += s[k];
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// 2 to the power of 32 is no multiple of 48: where the number wraps around, the remainder jumps.
__global__ void __launch_bounds__(64)
    forty_eight(const float *__restrict__ x, float *__restrict__ y, unsigned last) {
  __shared__ float s[48];
  float sum = 0.0f;
  for (unsigned first = 0; first != last; first += 48) {
    const unsigned q = first + threadIdx.x;
    if (threadIdx.x < 48)
      s[q % 48] = x[q];
    __syncthreads();
    for (int k = 0; k < 48; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Negative numbers have negative remainders.
__global__ void __launch_bounds__(64)
    around_the_middle(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float s[127];
  float sum = 0.0f;
  for (int t = -tiles; t < tiles; ++t) {
    const int q = t * 64 + (int)threadIdx.x;
    s[63 + q % 64] = x[tiles * 64 + q];
    __syncthreads();
    for (int k = 0; k < 127; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The step is another argument's.
__global__ void __launch_bounds__(64)
    any_step(const float *__restrict__ x, float *__restrict__ y, int tiles, int step) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const unsigned q = t * step + threadIdx.x;
    s[q % 64] = x[q];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Some tiles are stored the other way round.
__global__ void __launch_bounds__(64)
    either_way(const float *__restrict__ x, const int *__restrict__ turned,
               float *__restrict__ y, int tiles) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    unsigned q = t * 64 + threadIdx.x;
    if (turned[t])
      q = t * 64 + 63 - threadIdx.x;
    s[q % 64] = x[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += s[k] * (float)k;
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}
