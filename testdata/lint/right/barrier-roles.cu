#include <cuda/barrier>
using bar_t = cuda::barrier<cuda::thread_scope_block>;

// One warp stores what it loads; three warps use it. Barriers in pairs.
__global__ void feed(const float4 *src, float *dst, int tiles) {
  __shared__ float4 box[2][96];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ bar_t ready[2], freed[2];
  if (threadIdx.x < 2) {
    init(&ready[threadIdx.x], 128);
    init(&freed[threadIdx.x], 128);
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    for (int t = 0; t < tiles; ++t) {
      int b = t & 1;
      if (t >= 2)
        freed[b].arrive_and_wait();
      for (int i = lane; i < 96; i += 32)
        box[b][i] = src[((size_t)blockIdx.x * tiles + t) * 96 + i];
      (void)ready[b].arrive();
    }
  } else {
    const int me = threadIdx.x - 32;
    float acc = 0.f;
    for (int t = 0; t < tiles; ++t) {
      int b = t & 1;
      ready[b].arrive_and_wait();
      float4 v = box[b][(me * 7) % 96];
      acc += v.x + v.y + v.z + v.w;
      if (t + 2 < tiles)
        (void)freed[b].arrive();
    }
    dst[blockIdx.x * 96 + me] = acc;
  }
}

void go(const float4 *s, float *d, int tiles) { feed<<<64, 128>>>(s, d, tiles); }
