#include <cstdint>
// Two buffers, all threads wait for the copy, a block barrier frees the buffer.
#define SPTR(p) ((uint32_t)__cvta_generic_to_shared(p))
__device__ static inline void load_bytes(float *dst, const float *src, uint32_t bytes, uint64_t *mbar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(SPTR(mbar)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(SPTR(dst)), "l"(src), "r"(bytes), "r"(SPTR(mbar)) : "memory");
}
__global__ void dots(const float *a, const float *b, float *out, int steps)
{
    constexpr int N = 256;
    __shared__ __align__(16) float sa[2][N], sb[2][N];
    __shared__ uint64_t bars[2];
    if (threadIdx.x == 0) {
        for (uint64_t &one : bars)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SPTR(&one)), "r"(2));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0 && steps > 0) {
        load_bytes(sa[0], a, N * sizeof(float), &bars[0]);
        load_bytes(sb[0], b, N * sizeof(float), &bars[0]);
    }
    float sum = 0;
    for (int s = 0; s < steps; ++s) {
        const int now = s & 1;
        if (threadIdx.x == 0 && s + 1 < steps) {
            load_bytes(sa[now ^ 1], a + (s + 1) * N, N * sizeof(float), &bars[now ^ 1]);
            load_bytes(sb[now ^ 1], b + (s + 1) * N, N * sizeof(float), &bars[now ^ 1]);
        }
        uint32_t ready = 0;
        do {
            asm volatile("{\n\t.reg .pred q;\n\tmbarrier.test_wait.parity.shared::cta.b64 q, [%1], %2;\n\tselp.b32 %0, 1, 0, q;\n\t}"
                         : "=r"(ready) : "r"(SPTR(&bars[now])), "r"((s >> 1) & 1) : "memory");
        } while (!ready);
        sum += sa[now][threadIdx.x] * sb[now][N - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
int main() { float *p = nullptr; dots<<<1, 256>>>(p, p, p, 8); }
