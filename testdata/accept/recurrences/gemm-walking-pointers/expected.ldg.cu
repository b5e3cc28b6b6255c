// SGEMM whose loads walk pointers through both matrices and both tiles; the strides are blockDim.x,
// and the second copy is unrolled twice by hand, with a tail.
#include <cuda_runtime.h>

#define TM 24
#define TN 20
#define TK 16

// pipelinify: launch sgemm_walk
//   sizes    M=24,30 N=20,47 K=0,16,32,48,64,80,128
//   requires K % 16 == 0
//   target   M=3072 N=2560 K=2048
//   grid     (N + 19) / 20, (M + 23) / 24
//   block    96
//   M:       M
//   N:       N
//   K:       K
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
__global__ void __launch_bounds__(96)
sgemm_walk(int M, int N, int K, const float *__restrict__ A, const float *__restrict__ B,
           float *__restrict__ C)
{
    __shared__ float As_stage[2][TM][TK];
    __shared__ float Bs_stage[2][TK * TN];
    const int m0 = blockIdx.y * TM, n0 = blockIdx.x * TN;
    float acc[5] = {};

    // pipelinify: ldg, 2 stages, source d48382fb
    int k0 = 0, stage = 0;
    if (k0 < K) {
        {
            // A: sixteen threads a row, rows apart by the number of rows that the block covers.
            const float *a = A + (m0 + threadIdx.x / TK) * K + k0 + threadIdx.x % TK;
            float *to = &As_stage[0][0][0] + threadIdx.x;
            int row = m0 + threadIdx.x / TK, left = threadIdx.x;
            while (left < TM * TK) {
                *to = row < M ? *a : 0.f;
                to += blockDim.x;
                a += blockDim.x / TK * K;
                row += blockDim.x / TK;
                left += blockDim.x;
            }
            // B: two elements a round, then what is left.
            int i = threadIdx.x;
            for (; i + 96 < TK * TN; i += 192) {
                const int c = n0 + i % TN, d = n0 + (i + 96) % TN;
                Bs_stage[0][i] = c < N ? B[(k0 + i / TN) * N + c] : 0.f;
                Bs_stage[0][i + 96] = d < N ? B[(k0 + (i + 96) / TN) * N + d] : 0.f;
            }
            for (; i < TK * TN; i += 96)
                Bs_stage[0][i] = n0 + i % TN < N ? B[(k0 + i / TN) * N + n0 + i % TN] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TK; k0 < K; k0 += TK) {
            float As_next[4];
            float Bs_next[(TK * TN + 192 - 1) / 192];
            float Bs_next2[(TK * TN + 192 - 1) / 192];
            float Bs_next3[1];
            // A: sixteen threads a row, rows apart by the number of rows that the block covers.
            const float *a = A + (m0 + threadIdx.x / TK) * K + k0 + threadIdx.x % TK;
            int row = m0 + threadIdx.x / TK, left = threadIdx.x;
            #pragma unroll
            for (int slot = 0; slot < 4 && left < TM * TK; ++slot) {
                As_next[slot] = row < M ? *a : 0.f;
                a += blockDim.x / TK * K;
                row += blockDim.x / TK;
                left += blockDim.x;
            }
            // B: two elements a round, then what is left.
            int i = threadIdx.x;
            #pragma unroll
            for (int slot = 0; slot < (TK * TN + 192 - 1) / 192 && i + 96 < TK * TN;
                 i += 192, ++slot) {
                const int c = n0 + i % TN, d = n0 + (i + 96) % TN;
                Bs_next[slot] = c < N ? B[(k0 + i / TN) * N + c] : 0.f;
                Bs_next2[slot] = d < N ? B[(k0 + (i + 96) / TN) * N + d] : 0.f;
            }
            #pragma unroll
            for (int slot = 0; slot < 1 && i < TK * TN; i += 96, ++slot) {
                Bs_next3[slot] = n0 + i % TN < N ? B[(k0 + i / TN) * N + n0 + i % TN] : 0.f;
            }

            for (int e = threadIdx.x, q = 0; e < TM * TN; e += 96, ++q)
                for (int k = 0; k < TK; ++k)
                    acc[q] += As_stage[stage][e / TN][k] * Bs_stage[stage][k * TN + e % TN];
            stage ^= 1;
            {
                const float *a = A + (m0 + threadIdx.x / TK) * K + k0 + threadIdx.x % TK;
                float *to = &As_stage[stage][0][0] + threadIdx.x;
                int row = m0 + threadIdx.x / TK, left = threadIdx.x;
                #pragma unroll
                for (int slot = 0; slot < 4 && left < TM * TK; ++slot) {
                    *to = As_next[slot];
                    to += blockDim.x;
                    a += blockDim.x / TK * K;
                    row += blockDim.x / TK;
                    left += blockDim.x;
                }
                while (left < TM * TK)
                {
                    *to = row < M ? *a : 0.f;
                    to += blockDim.x;
                    a += blockDim.x / TK * K;
                    row += blockDim.x / TK;
                    left += blockDim.x;
                }
                int i = threadIdx.x;
                #pragma unroll
                for (int slot = 0; slot < (TK * TN + 192 - 1) / 192 && i + 96 < TK * TN;
                     i += 192, ++slot) {
                    Bs_stage[stage][i] = Bs_next[slot];
                    Bs_stage[stage][i + 96] = Bs_next2[slot];
                }
                #pragma unroll
                for (int slot = 0; slot < 1 && i < TK * TN; i += 96, ++slot) {
                    Bs_stage[stage][i] = Bs_next3[slot];
                }
            }
            __syncthreads();
        }
        for (int e = threadIdx.x, q = 0; e < TM * TN; e += 96, ++q)
            for (int k = 0; k < TK; ++k)
                acc[q] += As_stage[stage][e / TN][k] * Bs_stage[stage][k * TN + e % TN];
    }
    for (int e = threadIdx.x, q = 0; e < TM * TN; e += 96, ++q)
        if (m0 + e / TN < M && n0 + e % TN < N)
            C[(m0 + e / TN) * N + n0 + e % TN] = acc[q];
}
