#include <cuda/pipeline>

// Row softmax numerator: streams rows in chunks, a chunk ahead.
template <int CHUNK>
__global__ void row_sums(const float *__restrict__ in, float *__restrict__ out, int cols) {
  __shared__ alignas(16) float stage[2][CHUNK];
  __shared__ float partial[CHUNK / 4];
  auto pipe = cuda::make_pipeline();
  const float *row = in + (size_t)blockIdx.x * cols;
  const int n = cols / CHUNK;
  const int me = threadIdx.x * 4;
  auto fetch = [&](int which) {
    pipe.producer_acquire();
    if (which < n)
      cuda::memcpy_async(&stage[which & 1][me], row + which * CHUNK + me,
                         cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  };
  float sum = 0.f;
  fetch(0);
  for (int c = 0; c < n; c++) {
    fetch(c + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    // neighbours in the chunk are read by other threads
    for (int j = 0; j < 4; ++j)
      sum += stage[c & 1][(me + j * 32 + 4) % CHUNK];
    __syncthreads();
    pipe.consumer_release();
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.f;
    for (int i = 0; i < CHUNK / 4; ++i)
      total += partial[i];
    out[blockIdx.x] = total;
  }
}

void launch(const float *in, float *out, int rows, int cols) {
  row_sums<512><<<rows, 128>>>(in, out, cols);
}
