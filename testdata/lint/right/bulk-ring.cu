#include <cstdint>
// One thread issues bulk copies; a ring of four with full and empty barriers.
namespace dev {
__device__ inline unsigned at(void *p) { return (unsigned)__cvta_generic_to_shared(p); }
struct Bar {
    uint64_t word;
    __device__ void init(int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;\n" ::"r"(at(&word)), "r"(n)); }
    __device__ void expect(int bytes) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;\n" ::"r"(at(&word)), "r"(bytes)); }
    __device__ void arrive() { asm volatile("mbarrier.arrive.shared.b64 _, [%0];\n" ::"r"(at(&word))); }
    __device__ bool done(unsigned parity)
    {
        unsigned ok;
        asm volatile("{ .reg .pred P; mbarrier.try_wait.parity.shared.b64 P, [%1], %2; selp.u32 %0, 1, 0, P; }"
                     : "=r"(ok) : "r"(at(&word)), "r"(parity) : "memory");
        return ok != 0;
    }
    __device__ void wait(unsigned parity) { while (!done(parity)) { } }
};
__device__ inline void bulk(void *to, const void *from, int bytes, Bar *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n"
                 ::"r"(at(to)), "l"(from), "r"(bytes), "r"(at(&bar->word)) : "memory");
}
}
constexpr int RING = 4, FLOATS = 512;
__global__ void __launch_bounds__(160) bulk_sums(const float *in, float *out, int n)
{
    __shared__ alignas(128) float buf[RING][FLOATS];
    __shared__ dev::Bar full[RING], empty[RING];
    const int warp = threadIdx.x >> 5;
    if (threadIdx.x == 0)
        for (int i = 0; i < RING; i++) {
            full[i].init(1);
            empty[i].init(4);
        }
    __syncthreads();
    if (warp == 4) {
        if ((threadIdx.x & 31) == 0) {
            int slot = 0;
            unsigned phase = 1;
            for (int k = 0; k < n; k++) {
                empty[slot].wait(phase);
                full[slot].expect(FLOATS * 4);
                dev::bulk(buf[slot], in + k * FLOATS, FLOATS * 4, &full[slot]);
                if (++slot == RING) {
                    slot = 0;
                    phase ^= 1;
                }
            }
        }
        return;
    }
    float sum = 0;
    int slot = 0;
    unsigned phase = 0;
    for (int k = 0; k < n; k++) {
        full[slot].wait(phase);
        for (int i = threadIdx.x; i < FLOATS; i += 128)
            sum += buf[slot][i];
        __syncwarp();
        if ((threadIdx.x & 31) == 0)
            empty[slot].arrive();
        if (++slot == RING) {
            slot = 0;
            phase ^= 1;
        }
    }
    out[threadIdx.x] = sum;
}
void run(const float *i, float *o, int n) { bulk_sums<<<1, 160>>>(i, o, n); }
