#include <cstdint>

__device__ __forceinline__ uint32_t smem_addr(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void mbar_init(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_addr(bar)), "r"(count));
}
__device__ __forceinline__ void mbar_expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem_addr(bar)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void mbar_wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred P1;\n"
               "LAB_WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\n"
               "bra LAB_WAIT;\n"
               "DONE:\n"
               "}" ::"r"(smem_addr(bar)), "r"(parity)
               : "memory");
}
__device__ __forceinline__ void bulk_load(void *dst, const void *src, uint32_t bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   smem_addr(dst)),
               "l"(src), "r"(bytes), "r"(smem_addr(bar))
               : "memory");
}

constexpr int TILE = 1024;

__global__ void __launch_bounds__(256) bulk_sum(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ alignas(128) float buf[2][TILE];
  __shared__ alignas(8) uint64_t full[2];
  const float *src = in + (size_t)blockIdx.x * tiles * TILE;
  if (threadIdx.x == 0) {
    mbar_init(&full[0], 1);
    mbar_init(&full[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2 && i < tiles; ++i) {
      mbar_expect(&full[i], TILE * sizeof(float));
      bulk_load(buf[i], src + i * TILE, TILE * sizeof(float), &full[i]);
    }
  }
  uint32_t phase = 0;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int b = t & 1;
    mbar_wait(&full[b], phase);
    for (int i = 0; i < TILE / 256; ++i)
      acc += buf[b][i * 256 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && t + 2 < tiles) {
      mbar_expect(&full[b], TILE * sizeof(float));
      bulk_load(buf[b], src + (t + 2) * TILE, TILE * sizeof(float), &full[b]);
    }
    if (b == 1)
      phase ^= 1;
  }
  out[blockIdx.x * 256 + threadIdx.x] = acc;
}
