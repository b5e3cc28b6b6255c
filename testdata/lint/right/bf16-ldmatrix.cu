#include <cuda_bf16.h>
#include <stdint.h>
// bf16 tensor-core product: ldmatrix, mma, four stages, fragments of the next step
// loaded while this one is multiplied.
#define STG 4
#define BM 64
#define BN 64
#define BK 32
__device__ __forceinline__ uint32_t sptr(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void ldsm4(uint32_t *r, const void *p)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(sptr(p)));
}
__device__ __forceinline__ void mma(float *d, const uint32_t *a, const uint32_t *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__global__ void __launch_bounds__(128) bgemm(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B, float *__restrict__ C, int K)
{
    __shared__ __align__(128) __nv_bfloat16 sA[STG][BM][BK + 8];
    __shared__ __align__(128) __nv_bfloat16 sB[STG][BN][BK + 8];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int nk = K / BK;
    float acc[8][4] = {};
    auto issue = [&](int kt) {
        if (kt < nk) {
            const int st = kt % STG;
#pragma unroll
            for (int c = tid; c < BM * BK / 8; c += 128) {
                int row = c / (BK / 8), col = c % (BK / 8) * 8;
                asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(sptr(&sA[st][row][col])), "l"(A + (size_t)row * K + kt * BK + col));
                asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(sptr(&sB[st][row][col])), "l"(B + (size_t)row * K + kt * BK + col));
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int s = 0; s < STG - 1; ++s)
        issue(s);
    for (int kt = 0; kt < nk; ++kt) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STG - 2) : "memory");
        __syncthreads();
        issue(kt + STG - 1);
        const int st = kt % STG;
        uint32_t a[2][4], b[4];
        ldsm4(a[0], &sA[st][warp * 16 + lane % 16][lane / 16 * 8]);
#pragma unroll
        for (int kk = 0; kk < BK / 16; ++kk) {
            if (kk + 1 < BK / 16)
                ldsm4(a[(kk + 1) & 1], &sA[st][warp * 16 + lane % 16][(kk + 1) * 16 + lane / 16 * 8]);
            for (int n = 0; n < 4; ++n) {
                ldsm4(b, &sB[st][n * 16 + lane % 8 + lane / 16 * 8][kk * 16 + lane / 8 % 2 * 8]);
                mma(acc[2 * n], a[kk & 1], b);
                mma(acc[2 * n + 1], a[kk & 1], b + 2);
            }
        }
    }
    for (int n = 0; n < 8; ++n)
        for (int i = 0; i < 4; ++i)
            C[(warp * 16 + lane / 4 + i / 2 * 8) * BN + n * 8 + lane % 4 * 2 + i % 2] = acc[n][i];
}
