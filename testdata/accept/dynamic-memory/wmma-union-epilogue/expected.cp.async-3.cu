// wmma GEMM with union'd shared storage: tiles in the loop, float staging in the epilogue.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <cuda_pipeline.h>
using namespace nvcuda;

template <int BM, int BN, int BK>
union Smem {
    struct {
        half a[BM][BK + 8];
        half b[BK][BN + 8];
    } ab;
    float c[BM][BN + 4];
};

// pipelinify: launch wmma_union
//   sizes    M=32 N=32 K=0,16,32,48,80
//   target   M=1024 N=1024 K=2048
//   grid     N / 32, M / 32
//   block    128
//   A: in [M * K + 1]
//   B: in [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void __launch_bounds__(128) wmma_union(const half *__restrict__ A, const half *__restrict__ B,
                                                  float *__restrict__ C, int M, int N, int K)
{
    constexpr int BM = 32, BN = 32, BK = 16;
    constexpr int stages = 3;
    __shared__ __align__(16) Smem<BM, BN, BK> s_stage[stages];
    const int warp = threadIdx.x / 32;
    const int wm = warp / 2 * 16, wn = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    int stage = 0;
    // pipelinify: cp.async, 3 stages, source c0317132
    int k0_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            if (threadIdx.x < 64) {
                const int r = threadIdx.x / 2, c = threadIdx.x % 2 * 8;
                __pipeline_memcpy_async(reinterpret_cast<uint4 *>(&s_stage[load_stage].ab.a[r][c]),
                                        reinterpret_cast<const uint4 *>(&A[(m0 + r) * K + k0_load + c]), sizeof(uint4));
            } else {
                const int t = threadIdx.x - 64;
                const int r = t / 4, c = t % 4 * 8;
                __pipeline_memcpy_async(reinterpret_cast<uint4 *>(&s_stage[load_stage].ab.b[r][c]),
                                        reinterpret_cast<const uint4 *>(&B[(k0_load + r) * N + n0 + c]), sizeof(uint4));
            }
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
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, &s_stage[stage].ab.a[wm][0], BK + 8);
        wmma::load_matrix_sync(fb, &s_stage[stage].ab.b[0][wn], BN + 8);
        wmma::mma_sync(acc, fa, fb, acc);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? stages - 1 : stage - 1;
    __syncthreads();
    wmma::store_matrix_sync(&s_stage[stage].c[wm][wn], acc, BN + 4, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < BM * BN; i += 128)
        C[(m0 + i / BN) * N + n0 + i % BN] = s_stage[stage].c[i / BN][i % BN];
}
