#include <cstdint>
// Phases of mbarriers by hand: one warp copies with cp.async and lets its copies arrive.
__device__ __forceinline__ uint32_t smem(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void bar_init(uint64_t *b, uint32_t n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(b)), "r"(n)); }
__device__ __forceinline__ void bar_arrive(uint64_t *b)
{
    asm volatile("{ .reg .b64 st; mbarrier.arrive.shared::cta.b64 st, [%0]; }" ::"r"(smem(b)) : "memory");
}
__device__ __forceinline__ void bar_wait(uint64_t *b, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra DONE;\n"
                 "bra WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(smem(b)), "r"(parity) : "memory");
}
template <int S>
__global__ void __launch_bounds__(96) smooth(const float4 *src, float4 *dst, int tiles)
{
    __shared__ float4 tile[S][64];
    __shared__ uint64_t full[S], empty[S];
    if (threadIdx.x == 0) {
        for (int s = 0; s < S; ++s) {
            bar_init(&full[s], 32);
            bar_init(&empty[s], 64);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        const int lane = threadIdx.x - 64;
        for (int t = 0; t < tiles; ++t) {
            const int s = t % S;
            bar_wait(&empty[s], ((t / S) & 1) ^ 1);
            for (int i = lane; i < 64; i += 32)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(&tile[s][i])), "l"(src + t * 64 + i) : "memory");
            asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(&full[s])) : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
    } else {
        float4 acc = make_float4(0, 0, 0, 0);
        for (int t = 0; t < tiles; ++t) {
            const int s = t % S;
            bar_wait(&full[s], (t / S) & 1);
            const float4 a = tile[s][threadIdx.x], b = tile[s][63 - threadIdx.x];
            acc.x += a.x * b.x;
            acc.y += a.y * b.y;
            bar_arrive(&empty[s]);
        }
        dst[threadIdx.x] = acc;
    }
}
void run(const float4 *s, float4 *d, int n) { smooth<3><<<1, 96>>>(s, d, n); }
