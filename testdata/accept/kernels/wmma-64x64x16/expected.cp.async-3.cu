// Tensor core GEMM, half inputs and float output: 64x64x16 block tile, four warps of 2x2 fragments.
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_pipeline.h>

using namespace nvcuda;

constexpr int BM = 64;
constexpr int BN = 64;
constexpr int BK = 16;

// pipelinify: launch wmma_gemm_f16
//   sizes    M=64 N=64 K=0,16,32,48,64,80
//   sizes    M=128 N=64 K=48
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, M / 64
//   block    128
//   A:       in  [M * K]  random
//   B:       in  [K * N]  random
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
//   work     bytes 2 * (M * K + K * N) + 4 * M * N
__global__ void wmma_gemm_f16(const half *__restrict__ A, const half *__restrict__ B,
                              float *__restrict__ C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ __align__(32) half As_stage[stages][BM * BK];
    __shared__ __align__(32) half Bs_stage[stages][BK * BN];

    const int tid = threadIdx.x;
    const int warp = tid / 32;
    const int wm = (warp / 2) * 32;
    const int wn = (warp % 2) * 32;
    const int rowBase = blockIdx.y * BM;
    const int colBase = blockIdx.x * BN;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::fill_fragment(acc[i][j], 0.0f);

    // 64 x 16 halves are 128 groups of eight, one a thread; so are 16 x 64
    const int ar = tid / 2, ac = (tid % 2) * 8;
    const int br = tid / 8, bc = (tid % 8) * 8;

    // pipelinify: cp.async, 3 stages, source f35f631d
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            __pipeline_memcpy_async(reinterpret_cast<int4 *>(&As_stage[load_stage][ar * BK + ac]),
                reinterpret_cast<const int4 *>(&A[(rowBase + ar) * K + k0_load + ac]),
                sizeof(int4));
            __pipeline_memcpy_async(reinterpret_cast<int4 *>(&Bs_stage[load_stage][br * BN + bc]),
                reinterpret_cast<const int4 *>(&B[(k0_load + br) * N + colBase + bc]),
                sizeof(int4));
            k0_load += BK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += BK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
        for (int i = 0; i < 2; ++i) {
            wmma::load_matrix_sync(fa[i], &As_stage[stage][(wm + i * 16) * BK], BK);
            wmma::load_matrix_sync(fb[i], &Bs_stage[stage][wn + i * 16], BN);
        }
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(&C[(rowBase + wm + i * 16) * N + colBase + wn + j * 16],
                                    acc[i][j], N, wmma::mem_row_major);
}
