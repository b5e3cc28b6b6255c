#include <cstdint>
#include <cuda_fp16.h>
// mma.m16n8k16 from ldmatrix out of a swizzled ring of three.
struct Ring {
    uint32_t base;
    __device__ uint32_t cell(int stage, int row, int chunk) const { return base + stage * 1024 + row * 32 + ((chunk ^ (row >> 2 & 1)) << 4); }
};
template <int STAGES> __global__ void __launch_bounds__(32) mma_ring(const half *A, const half *B, float *C, int ktiles)
{
    __shared__ alignas(128) half mem[STAGES * 512];
    const Ring ring{(uint32_t)__cvta_generic_to_shared(mem)};
    const int lane = threadIdx.x;
    auto stage_in = [&](int kt, int st) {
        const int row = lane >> 1, chunk = lane & 1;
        asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(ring.cell(st, row, chunk)), "l"(A + row * ktiles * 16 + kt * 16 + chunk * 8), "n"(16));
        if (row < 8)
            asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(ring.cell(st, 16 + row, chunk)), "l"(B + row * ktiles * 16 + kt * 16 + chunk * 8), "n"(16));
    };
    float d[4] = {};
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < ktiles)
            stage_in(s, s);
        asm volatile("cp.async.commit_group;\n");
    }
    for (int kt = 0, st = 0; kt < ktiles; ++kt) {
        asm volatile("cp.async.wait_group %0;\n" ::"n"(STAGES - 2));
        __syncthreads();
        uint32_t a0, a1, a2, a3, b0, b1;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(ring.cell(st, lane & 15, lane >> 4)));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n" : "=r"(b0), "=r"(b1) : "r"(ring.cell(st, 16 + (lane & 7), lane >> 3 & 1)));
        if (kt + STAGES - 1 < ktiles)
            stage_in(kt + STAGES - 1, (st + STAGES - 1) % STAGES);
        asm volatile("cp.async.commit_group;\n");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
        st = (st + 1) % STAGES;
    }
    for (int i = 0; i < 4; ++i)
        C[lane * 4 + i] = d[i];
}
void run(const half *a, const half *b, float *c, int k) { mma_ring<3><<<1, 32>>>(a, b, c, k); }
