#include <cstdint>
// Two groups, each with a producing warp and a ring of its own, by warp index.
struct Gate { uint64_t full[2], free[2]; };
__device__ uint32_t u(const void *p) { uint32_t a; asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(a) : "l"(p)); return a; }
__device__ void start(uint64_t &b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(u(&b)), "r"(n)); }
__device__ void hit(uint64_t &b) { asm volatile("mbarrier.arrive.release.cta.shared.b64 _, [%0];" ::"r"(u(&b)) : "memory"); }
__device__ void stay(uint64_t &b, int phase)
{
    int ok;
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }" : "=r"(ok) : "r"(u(&b)), "r"(phase) : "memory");
    while (!ok);
}
__global__ void __launch_bounds__(128) duet(const float *left, const float *right, float *out, int n)
{
    __shared__ float ring[2][2][32];
    __shared__ Gate gates[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, side = warp >> 1;
    Gate &gate = gates[side];
    if (threadIdx.x < 2)
        for (int i = 0; i < 2; ++i) {
            start(gates[threadIdx.x].full[i], 32);
            start(gates[threadIdx.x].free[i], 32);
        }
    __syncthreads();
    const float *src = side ? right : left;
    if (warp & 1) {
        for (int k = 0; k < n; ++k) {
            if (k >= 2)
                stay(gate.free[k & 1], (k / 2 - 1) & 1);
            ring[side][k & 1][lane] = src[k * 32 + lane];
            hit(gate.full[k & 1]);
        }
    } else {
        float v = 0;
        for (int k = 0; k < n; ++k) {
            stay(gate.full[k & 1], k / 2 & 1);
            v += ring[side][k & 1][31 - lane];
            hit(gate.free[k & 1]);
        }
        out[side * 32 + lane] = v;
    }
}
void run(const float *l, const float *r, float *o, int n) { duet<<<1, 128>>>(l, r, o, n); }
