#include <cstdint>
// cp.async whose landing arrives at an mbarrier; consumers wait by parity, empties by the block.
__device__ __forceinline__ uint32_t sp(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
struct Mbar {
  uint64_t v;
  __device__ void init(unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sp(&v)), "r"(n) : "memory"); }
  __device__ void copies_arrive() { asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(sp(&v)) : "memory"); }
  __device__ bool done(unsigned ph) {
    uint32_t ok;
    asm volatile("{ .reg .pred p;\n mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p; }"
                 : "=r"(ok) : "r"(sp(&v)), "r"(ph) : "memory");
    return ok != 0;
  }
  __device__ void wait(unsigned ph) {
    while (!done(ph)) {
    }
  }
};
constexpr int S = 4, E = 512;
__global__ void __launch_bounds__(128) accumulate(const float *__restrict__ g, float *__restrict__ o, int tiles) {
  __shared__ __align__(16) float ring[S][E];
  __shared__ Mbar full[S];
  if (threadIdx.x == 0)
#pragma unroll
    for (int i = 0; i < S; ++i)
      full[i].init(128);
  __syncthreads();
  g += (size_t)blockIdx.x * tiles * E;
  auto post = [&](int t) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sp(&ring[t % S][threadIdx.x * 4])), "l"(g + (size_t)t * E + threadIdx.x * 4) : "memory");
    full[t % S].copies_arrive();
  };
  for (int t = 0; t < S - 1; ++t)
    if (t < tiles)
      post(t);
  float a = 0.f;
  for (int t = 0; t < tiles; ++t) {
    full[t % S].wait((t / S) & 1);
    for (int i = 0; i < 4; ++i)
      a += ring[t % S][i * 128 + threadIdx.x];
    __syncthreads();
    if (t + S - 1 < tiles)
      post(t + S - 1);
  }
  o[blockIdx.x * 128 + threadIdx.x] = a;
}
