// The lower triangle of A A^T, with the words of a project: its barrier, too, goes by a name from a header.
#include "project.h"
#define BS 32
#define KS 8

// pipelinify: launch syrk_lower
//   sizes    N=32,64 K=0,8,16,24,40
//   target   N=2048 K=2048
//   grid     N / 32, N / 32
//   block    64
//   A:       in [N * K + 4] random
//   C:       inout [N * N] random
//   n:       N
//   k:       K
//   alpha:   1.0
//   beta:    2.0
GLOBAL_KERNEL void syrk_lower(const float *__restrict__ A, float *__restrict__ C, int n, int k,
                              float alpha, float beta)
{
    if (blockIdx.x > blockIdx.y) return;
    __shared__ __align__(16) float Ai_stage[2][KS][BS + 4];
    __shared__ __align__(16) float Aj_stage[2][KS][BS + 4];
    const int t = threadIdx.x;
    const int lr = t >> 1, lc = (t & 1) << 2;
    const float *pi = A + OFFSET(blockIdx.y * BS + lr, lc, k);
    const float *pj = A + OFFSET(blockIdx.x * BS + lr, lc, k);
    const int ry = (t >> 3) << 2, rx = (t & 7) << 2;
    float acc[4][4] = {{0}};

    // pipelinify: ldg, 2 stages, source 94381848
    int step = 0, stage = 0;
    if (step < k / KS) {
        auto compute_tile = [&]() {
            UNROLL
            for (int kk = 0; kk < KS; kk++) {
                float4 a = FETCH4(Ai_stage[stage][kk][ry]), b = FETCH4(Aj_stage[stage][kk][rx]);
                const float av[4] = { a.x, a.y, a.z, a.w }, bv[4] = { b.x, b.y, b.z, b.w };
                UNROLL
                for (int i = 0; i < 4; i++)
                    UNROLL
                    for (int j = 0; j < 4; j++) acc[i][j] += av[i] * bv[j];
            }
        };
        {
            const float4 vi = FETCH4(pi[step * KS]);
            const float4 vj = FETCH4(pj[step * KS]);
            Ai_stage[0][lc + 0][lr] = vi.x; Ai_stage[0][lc + 1][lr] = vi.y; Ai_stage[0][lc + 2][lr] =
                vi.z; Ai_stage[0][lc + 3][lr] = vi.w;
            Aj_stage[0][lc + 0][lr] = vj.x; Aj_stage[0][lc + 1][lr] = vj.y; Aj_stage[0][lc + 2][lr] =
                vj.z; Aj_stage[0][lc + 3][lr] = vj.w;
        }
        LDS_BARRIER();
        // Main loop: fetch the next tile while computing on this one.
        for (step++; step < k / KS; step++) {
            const float4 vi = FETCH4(pi[step * KS]);
            const float4 vj = FETCH4(pj[step * KS]);
            compute_tile();
            stage ^= 1;
            Ai_stage[stage][lc + 0][lr] = vi.x;
            Ai_stage[stage][lc + 1][lr] = vi.y;
            Ai_stage[stage][lc + 2][lr] = vi.z;
            Ai_stage[stage][lc + 3][lr] = vi.w;
            Aj_stage[stage][lc + 0][lr] = vj.x;
            Aj_stage[stage][lc + 1][lr] = vj.y;
            Aj_stage[stage][lc + 2][lr] = vj.z;
            Aj_stage[stage][lc + 3][lr] = vj.w;
            LDS_BARRIER();
        }
        compute_tile();
    }
    for (int i = 0; i < 4; i++) {
        float *c = &C[OFFSET(blockIdx.y * BS + ry + i, blockIdx.x * BS + rx, n)];
        for (int j = 0; j < 4; j++) c[j] = alpha * acc[i][j] + beta * c[j];
    }
}
