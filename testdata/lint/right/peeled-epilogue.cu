#include <cuda/pipeline>
#define S 3

// Main loop with all slots in flight, then the S - 1 last tiles without a load.
__global__ void weighted(const float *__restrict__ v, const float *__restrict__ w, float *__restrict__ out, int tiles) {
  __shared__ float sv[S][256], sw[S][256];
  cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
  const int t = threadIdx.x, u = 255 - t;
  const float *gv = v + (size_t)blockIdx.x * tiles * 256;
  float sum = 0;
  int head = 0;
  for (; head < S - 1 && head < tiles; ++head) {
    p.producer_acquire();
    cuda::memcpy_async(&sv[head][t], gv + head * 256 + t, sizeof(float), p);
    cuda::memcpy_async(&sw[head][t], w + head * 256 + t, sizeof(float), p);
    p.producer_commit();
  }
  int k = 0;
  for (; head < tiles; ++head, ++k) {
    p.producer_acquire();
    cuda::memcpy_async(&sv[head % S][t], gv + head * 256 + t, sizeof(float), p);
    cuda::memcpy_async(&sw[head % S][t], w + head * 256 + t, sizeof(float), p);
    p.producer_commit();
    p.consumer_wait();
    __syncthreads();
    sum += sv[k % S][u] * sw[k % S][u];
    __syncthreads();
    p.consumer_release();
  }
  for (; k < tiles; ++k) {
    p.consumer_wait();
    __syncthreads();
    sum += sv[k % S][u] * sw[k % S][u];
    p.consumer_release();
  }
  out[blockIdx.x * 256 + t] = sum;
}
void f(const float *v, const float *w, float *o, int t) { weighted<<<100, 256>>>(v, w, o, t); }
