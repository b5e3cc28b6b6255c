// Two loader warps, four compute warps, named barriers.
#define BAR_SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define BAR_ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
enum { FULL0 = 1, EMPTY0 = 3 };

__global__ void __launch_bounds__(192) two_crews(const float *__restrict__ in, float *__restrict__ out, int steps) {
  __shared__ float slab[2][512];
  const float *src = in + (size_t)blockIdx.x * steps * 512;
  if (threadIdx.x >= 128) {
    const int l = threadIdx.x - 128;
    for (int s = 0; s < steps; ++s) {
      const int b = s & 1;
      if (s >= 2)
        BAR_SYNC(EMPTY0 + b, 192);
      for (int i = l; i < 512; i += 64)
        slab[b][i] = src[s * 512 + i];
      __threadfence_block();
      BAR_ARRIVE(FULL0 + b, 192);
    }
  } else {
    float acc = 0.f;
    for (int s = 0; s < steps; ++s) {
      const int b = s & 1;
      BAR_SYNC(FULL0 + b, 192);
      for (int i = 0; i < 4; ++i)
        acc += slab[b][(threadIdx.x + i * 131) & 511];
      if (s + 2 < steps)
        BAR_ARRIVE(EMPTY0 + b, 192);
    }
    out[blockIdx.x * 128 + threadIdx.x] = acc;
  }
}
