// Rows are copied by warps, columns by their lanes; both numbers come from a group of
// 32 threads.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

template <int BM, int BN, int BK>
__global__ void __launch_bounds__(256)
product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
        int m, int n, int k)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int w = warp.meta_group_rank(), lane = warp.thread_rank();
    constexpr int stages = 3;
    __shared__ float as_stage[stages][BM][BK];
    __shared__ float bs_stage[stages][BK][BN];
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    float sums[BM / 8][BN / 32] = {};

    // pipelinify: cp.async, 3 stages, source 0797c5ac
    static_assert((long long)BM == 32,
                  "pipelined for this BM alone: run pipelinify again for another");
    static_assert((long long)BN == 64,
                  "pipelined for this BN alone: run pipelinify again for another");
    static_assert((long long)BK == 32,
                  "pipelined for this BK alone: run pipelinify again for another");
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            for (int r = w; r < BM; r += 8) {
                for (int c = lane; c < BK; c += 32)
                    __pipeline_memcpy_async(&as_stage[load_stage][r][c],
                                            &A[(m0 + r) * k + k0_load + c], sizeof(float),
                                            (m0 + r < m && k0_load + c < k) ? 0 : sizeof(float));
            }
            for (int r = w; r < BK; r += 8) {
                for (int c = lane; c < BN; c += 32)
                    __pipeline_memcpy_async(&bs_stage[load_stage][r][c],
                                            &B[(k0_load + r) * n + n0 + c], sizeof(float),
                                            (k0_load + r < k && n0 + c < n) ? 0 : sizeof(float));
            }
            k0_load += BK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += BK) {
        __pipeline_wait_prior(stages - 2);
        block.sync();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int q = 0; q < BK; ++q)
            for (int i = 0; i < BM / 8; ++i)
                for (int j = 0; j < BN / 32; ++j)
                    sums[i][j] += as_stage[stage][w + i * 8][q] * bs_stage[stage][q][lane + j * 32];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < BM / 8; ++i)
        for (int j = 0; j < BN / 32; ++j)
            if (m0 + w + i * 8 < m && n0 + lane + j * 32 < n)
                C[(m0 + w + i * 8) * n + n0 + lane + j * 32] = sums[i][j];
}

template __global__ void product<32, 64, 32>(const float *, const float *, float *, int, int, int);

// pipelinify: launch product<32, 64, 32>
//   sizes    m=33 n=70 k=0,16,33,80,112,176
//   target   m=2048 n=2048 k=2048
//   grid     (n + 63) / 64, (m + 31) / 32
//   block    256
//   A:       in  [m * k]
//   B:       in  [k * n]
//   C:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
