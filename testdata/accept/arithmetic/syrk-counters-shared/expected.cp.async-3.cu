// syrk / gemm stencil with the usual heap of blocking parameters; column major.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define fetch(A, m, n, bound) offs_d##A[min((n) * LD##A + (m), bound)]
#define fma(A, B, C) C += (A * B)

enum { FillUpper = 121, FillLower = 122 };

template <typename T, const int DIM_X, const int DIM_Y, const int BLK_M, const int BLK_N, const int BLK_K,
          const int DIM_XA, const int DIM_YA, const int DIM_XB, const int DIM_YB, const int CONJA, const int CONJB>
static __device__ void gemm_nt_device(int M, int N, int K, const T *__restrict__ A, int LDA,
                                      const T *__restrict__ B, int LDB, T *__restrict__ C, int LDC,
                                      T alpha, T beta)
{
    constexpr int THR_M = BLK_M / DIM_X;
    constexpr int THR_N = BLK_N / DIM_Y;

    int idx = threadIdx.x;
    int idy = threadIdx.y;
    int idt = DIM_X * idy + idx;

    int idxA = idt % DIM_XA;
    int idyA = idt / DIM_XA;
    int idxB = idt % DIM_XB;
    int idyB = idt / DIM_XB;

    int blx = blockIdx.x;
    int bly = blockIdx.y;

    constexpr int stages = 3;
    __shared__ T sA_stage[stages][BLK_K][BLK_M + 1];
    __shared__ T sB_stage[stages][BLK_N][BLK_K + 1];

    T rC[THR_N][THR_M];
    T rA[THR_M];
    T rB[THR_N];

    const T *offs_dA = A + blx * BLK_M + idyA * LDA + idxA;
    ptrdiff_t boundA = (LDA * (K - 1) + M) - (blx * BLK_M + idyA * LDA + idxA) - 1;

    const T *offs_dB = B + bly * BLK_N + idyB * LDB + idxB;
    ptrdiff_t boundB = (LDB * (K - 1) + N) - (bly * BLK_N + idyB * LDB + idxB) - 1;

    int m, n, k, kk;
    #pragma unroll
    for (n = 0; n < THR_N; n++)
        #pragma unroll
        for (m = 0; m < THR_M; m++)
            rC[n][m] = 0.0;

    // pipelinify: cp.async, 3 stages, source b1a5dc33
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    kk = 0;
    int kk_load = kk;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (kk_load < K) {
            #pragma unroll
            for (n = 0; n < BLK_K; n += DIM_YA) {
                for (m = 0; m < BLK_M; m += DIM_XA)
                    __pipeline_memcpy_async(&sA_stage[load_stage][n + idyA][m + idxA], &fetch(A, m, n, (int)boundA),
                                            sizeof(T));
            }

            #pragma unroll
            for (n = 0; n < BLK_K; n += DIM_YB) {
                for (m = 0; m < BLK_N; m += DIM_XB)
                    __pipeline_memcpy_async(&sB_stage[load_stage][m + idxB][n + idyB], &fetch(B, m, n, (int)boundB),
                                            sizeof(T));
            }

            offs_dA += BLK_K * LDA;
            boundA  -= BLK_K * LDA;
            offs_dB += BLK_K * LDB;
            boundB  -= BLK_K * LDB;
            kk_load += BLK_K;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; kk < K; kk += BLK_K) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        #pragma unroll
        for (k = 0; k < BLK_K && k < K - kk; k++) {
            #pragma unroll
            for (m = 0; m < THR_M; m++)
                rA[m] = sA_stage[stage][k][m * DIM_X + idx];
            #pragma unroll
            for (n = 0; n < THR_N; n++)
                rB[n] = sB_stage[stage][n * DIM_Y + idy][k];
            #pragma unroll
            for (n = 0; n < THR_N; n++)
                #pragma unroll
                for (m = 0; m < THR_M; m++)
                    fma(rA[m], rB[n], rC[n][m]);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    #pragma unroll
    for (n = 0; n < THR_N; n++) {
        int coord_dCn = bly * BLK_N + n * DIM_Y + idy;
        #pragma unroll
        for (m = 0; m < THR_M; m++) {
            int coord_dCm = blx * BLK_M + m * DIM_X + idx;
            if (coord_dCm < M && coord_dCn < N) {
                int offsC = coord_dCn * LDC + coord_dCm;
                C[offsC] = alpha * rC[n][m] + beta * C[offsC];
            }
        }
    }
}

template <typename T, const int DIM_X, const int DIM_Y, const int BLK_M, const int BLK_N, const int BLK_K,
          const int DIM_XA, const int DIM_YA, const int DIM_XB, const int DIM_YB>
static __global__ void syrk_nt_kernel(int uplo, int N, int K, T alpha, const T *A, int LDA, T beta,
                                      T *C, int LDC)
{
    if (uplo == FillLower && blockIdx.x * BLK_M + BLK_M - 1 < blockIdx.y * BLK_N) return;
    if (uplo == FillUpper && blockIdx.y * BLK_N + BLK_N - 1 < blockIdx.x * BLK_M) return;
    gemm_nt_device<T, DIM_X, DIM_Y, BLK_M, BLK_N, BLK_K, DIM_XA, DIM_YA, DIM_XB, DIM_YB, 0, 0>(
        N, N, K, A, LDA, A, LDA, C, LDC, alpha, beta);
}

// pipelinify: launch syrk_nt_kernel<float, 8, 8, 16, 16, 8, 8, 8, 8, 8>
//   sizes N=16,21 K=0,3,8,9,24,32,40,48
//   target N=1024 K=1024
//   grid (N + 15) / 16, (N + 15) / 16
//   block 8, 8
//   uplo: 122
//   N: N
//   K: K
//   alpha: 1.0
//   A: in [N * K + 64]
//   LDA: N
//   beta: 0.5
//   C: inout [N * N]
//   LDC: N
void syrk_nt(int uplo, int n, int k, float alpha, const float *A, int lda, float beta, float *C, int ldc,
                    cudaStream_t queue)
{
    dim3 dimBlock(8, 8);
    dim3 dimGrid((n + 15) / 16, (n + 15) / 16);
    syrk_nt_kernel<float, 8, 8, 16, 16, 8, 8, 8, 8, 8><<<dimGrid, dimBlock, 0, queue>>>(uplo, n, k, alpha, A, lda,
                                                                                      beta, C, ldc);
}
