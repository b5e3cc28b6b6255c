// Product of doubles on tensor cores: both tiles are carved out of one block of dynamic shared
// memory, through which the result leaves as well.
#include <cuda_runtime.h>
#include <mma.h>
#include <cuda_pipeline.h>

using namespace nvcuda;

constexpr int BM = 64, BN = 64, BK = 16;
constexpr int LD = BK + 4; // of a tile's rows, doubles

// pipelinify: launch dgemm_tn
//   sizes  M=64 N=64 K=0,16,32,48
//   sizes  M=128 N=64 K=80
//   target M=2048 N=2048 K=2048
//   grid   N / 64, M / 64
//   block  256
//   smem   8 * 64 * 64
//   A:     in  [M * K + 2]
//   B:     in  [N * K + 2]
//   C:     in  [M * N]
//   D:     out [M * N]
//   N:     N
//   K:     K
//   alpha: 1.1
//   beta:  1.2
//   work   flops 2 * M * N * K
__global__ void __launch_bounds__(256) dgemm_tn(const double *__restrict__ A, const double *__restrict__ B,
                                                const double *__restrict__ C, double *__restrict__ D, int N,
                                                int K, double alpha, double beta)
{
    extern __shared__ __align__(32) unsigned char shmem[];
    // 2 stages of 32768 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned shmem_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(shmem_given));
    if (shmem_given != 2 * 32768 + 1)
        __trap();
    auto &shmem_stage = reinterpret_cast<unsigned char (&)[2][32768]>(shmem);
    const int warp = threadIdx.x / 32, wr = warp / 4, wc = warp % 4;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

    wmma::fragment<wmma::accumulator, 8, 8, 4, double> c[4][2];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(c[i][j], 0.0);

    int stage = 0;
    // pipelinify: cp.async, 2 stages, source 742d9bd4
    int k0_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            auto &shmem = shmem_stage[load_stage];
            double *sa = reinterpret_cast<double *>(shmem);
            double *sb = sa + BM * LD;
            for (int i = threadIdx.x; i < BM * BK / 2; i += 256) {
                const int r = i / (BK / 2), q = i % (BK / 2) * 2;
                __pipeline_memcpy_async(reinterpret_cast<double2 *>(&sa[r * LD + q]),
                                        reinterpret_cast<const double2 *>(&A[(size_t)(row0 + r) * K + k0_load + q]),
                                        sizeof(double2));
                __pipeline_memcpy_async(reinterpret_cast<double2 *>(&sb[r * LD + q]),
                                        reinterpret_cast<const double2 *>(&B[(size_t)(col0 + r) * K + k0_load + q]),
                                        sizeof(double2));
            }
            k0_load += BK;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += BK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        auto &shmem = shmem_stage[stage];
        double *sa = reinterpret_cast<double *>(shmem);
        double *sb = sa + BM * LD;
#pragma unroll
        for (int kk = 0; kk < BK; kk += 4) {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a[4];
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> b[2];
#pragma unroll
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(b[j], &sb[(wc * 16 + j * 8) * LD + kk], LD);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                wmma::load_matrix_sync(a[i], &sa[(wr * 32 + i * 8) * LD + kk], LD);
#pragma unroll
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
            }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 1 : stage - 1;
    __syncthreads();

    double *out = reinterpret_cast<double *>(shmem_stage[stage]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            for (int t = 0; t < c[i][j].num_elements; t++)
                c[i][j].x[t] *= alpha;
            wmma::store_matrix_sync(out + (wr * 32 + i * 8) * BN + wc * 16 + j * 8, c[i][j], BN,
                                    wmma::mem_row_major);
        }
    __syncthreads();
    for (int i = threadIdx.x; i < BM * BN; i += 256) {
        const size_t at = (size_t)(row0 + i / BN) * N + col0 + i % BN;
        D[at] = out[i] + beta * C[at];
    }
}

void product(const double *A, const double *B, const double *C, double *D, int M, int N, int K,
             cudaStream_t stream)
{
    const int bytes = BM * BN * sizeof(double);
    cudaFuncSetAttribute(dgemm_tn, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaFuncSetAttribute(dgemm_tn, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * 32768 + 1);
    dgemm_tn<<<dim3(N / BN, M / BM), 256, bytes + 32768 + 1, stream>>>(A, B, C, D, N, K, 1.1, 1.2);
}
