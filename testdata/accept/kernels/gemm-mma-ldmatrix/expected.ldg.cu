// fp16 GEMM with mma.sync.m16n8k16 and ldmatrix: 64x64x32 tile, four warps of 32x32 outputs, padded rows.
#include <cuda_fp16.h>
#include <stdint.h>

#define TM 64
#define TN 64
#define TK 32
#define LDA_S (TK + 8)
#define LDB_S (TN + 8)

__device__ __forceinline__ uint32_t smem_addr(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void ldsm_x4(uint32_t (&r)[4], const void *p)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(smem_addr(p)));
}

__device__ __forceinline__ void ldsm_x2_trans(uint32_t (&r)[2], const void *p)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(smem_addr(p)));
}

__device__ __forceinline__ void mma_16816(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// pipelinify: launch hgemm_mma
//   sizes    M=64 N=64 K=0,32,64,96,128,160
//   sizes    M=64 N=128 K=96
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, M / 64
//   block    128
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
__global__ void __launch_bounds__(128)
hgemm_mma(const half *__restrict__ A, const half *__restrict__ B, half *__restrict__ C, int M, int N, int K)
{
    __shared__ __align__(16) half As_stage[2][TM][LDA_S];
    __shared__ __align__(16) half Bs_stage[2][TK][LDB_S];

    const int tid = threadIdx.x;
    const int lane = tid & 31;
    const int warp = tid >> 5;
    const int wm = (warp >> 1) * 32;
    const int wn = (warp & 1) * 32;

    float acc[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                acc[i][j][e] = 0.0f;

    const half *gA = A + (size_t)blockIdx.y * TM * K;
    const half *gB = B + (size_t)blockIdx.x * TN;

    // pipelinify: ldg, 2 stages, source 1dab1984
    int k0 = 0, stage = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int kk = 0; kk < TK; kk += 16) {
                uint32_t a[2][4], b[4][2];
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    ldsm_x4(a[i], &As_stage[stage][wm + i * 16 + (lane & 15)][kk + (lane >> 4) * 8]);
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    ldsm_x2_trans(b[j], &Bs_stage[stage][kk + (lane & 15)][wn + j * 8]);
#pragma unroll
                for (int i = 0; i < 2; ++i)
#pragma unroll
                    for (int j = 0; j < 4; ++j)
                        mma_16816(acc[i][j], a[i], b[j]);
            }
        };
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            const int e = (tid + v * 128) * 8;
            const int ar = e / TK, ac = e % TK;
            const int br = e / TN, bc = e % TN;
            *reinterpret_cast<uint4 *>(&As_stage[0][ar][ac]) =
                *reinterpret_cast<const uint4 *>(gA + (size_t)ar * K + k0 + ac);
            *reinterpret_cast<uint4 *>(&Bs_stage[0][br][bc]) =
                *reinterpret_cast<const uint4 *>(gB + (size_t)(k0 + br) * N + bc);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TK; k0 < K; k0 += TK) {
            uint4 As_next[2];
            uint4 Bs_next[2];
#pragma unroll
            for (int v = 0; v < 2; ++v) {
                const int e = (tid + v * 128) * 8;
                const int ar = e / TK, ac = e % TK;
                const int br = e / TN, bc = e % TN;
                As_next[v] = *reinterpret_cast<const uint4 *>(gA + (size_t)ar * K + k0 + ac);
                Bs_next[v] = *reinterpret_cast<const uint4 *>(gB + (size_t)(k0 + br) * N + bc);
            }
            compute_tile();
            stage ^= 1;
#pragma unroll
            for (int v = 0; v < 2; ++v) {
                const int e = (tid + v * 128) * 8;
                const int ar = e / TK, ac = e % TK;
                const int br = e / TN, bc = e % TN;
                *reinterpret_cast<uint4 *>(&As_stage[stage][ar][ac]) = As_next[v];
                *reinterpret_cast<uint4 *>(&Bs_stage[stage][br][bc]) = Bs_next[v];
            }
            __syncthreads();
        }
        compute_tile();
    }

#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int row = blockIdx.y * TM + wm + i * 16 + (lane >> 2);
            const int col = blockIdx.x * TN + wn + j * 8 + (lane & 3) * 2;
            *reinterpret_cast<half2 *>(&C[(size_t)row * N + col]) = __floats2half2_rn(acc[i][j][0], acc[i][j][1]);
            *reinterpret_cast<half2 *>(&C[(size_t)(row + 8) * N + col]) = __floats2half2_rn(acc[i][j][2], acc[i][j][3]);
        }
}
