// Rows are copied by warps, columns by their lanes; both numbers come from a group of
// 32 threads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <int BM, int BN, int BK>
__global__ void __launch_bounds__(256)
product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
        int m, int n, int k)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int w = warp.meta_group_rank(), lane = warp.thread_rank();
    __shared__ float as_stage[2][BM][BK];
    __shared__ float bs_stage[2][BK][BN];
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    float sums[BM / 8][BN / 32] = {};

    // pipelinify: ldg, 2 stages, source 0797c5ac
    int k0 = 0, stage = 0;
    if (k0 < k) {
        for (int r = w; r < BM; r += 8)
            for (int c = lane; c < BK; c += 32)
                as_stage[0][r][c] = m0 + r < m && k0 + c < k ? A[(m0 + r) * k + k0 + c] : 0.f;
        for (int r = w; r < BK; r += 8)
            for (int c = lane; c < BN; c += 32)
                bs_stage[0][r][c] = k0 + r < k && n0 + c < n ? B[(k0 + r) * n + n0 + c] : 0.f;
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < k; k0 += BK) {
            float as_next[(BM + 8 - 1) / 8][(BK + 32 - 1) / 32];
            float bs_next[(BK + 8 - 1) / 8][(BN + 32 - 1) / 32];
            #pragma unroll
            for (int slot = 0; slot < (BM + 8 - 1) / 8; ++slot) {
                int r = w + slot * 8;
                if (r < BM) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BK + 32 - 1) / 32; ++slot2) {
                        int c = lane + slot2 * 32;
                        if (c < BK)
                            as_next[slot][slot2] = m0 + r < m &&
                                                   k0 + c < k ? A[(m0 + r) * k + k0 + c] : 0.f;
                    }
                }
            }
            #pragma unroll
            for (int slot = 0; slot < (BK + 8 - 1) / 8; ++slot) {
                int r = w + slot * 8;
                if (r < BK) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BN + 32 - 1) / 32; ++slot2) {
                        int c = lane + slot2 * 32;
                        if (c < BN)
                            bs_next[slot][slot2] = k0 + r < k &&
                                                   n0 + c < n ? B[(k0 + r) * n + n0 + c] : 0.f;
                    }
                }
            }
            for (int q = 0; q < BK; ++q)
                for (int i = 0; i < BM / 8; ++i)
                    for (int j = 0; j < BN / 32; ++j)
                        sums[i][j] += as_stage[stage][w + i * 8][q] *
                                      bs_stage[stage][q][lane + j * 32];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (BM + 8 - 1) / 8; ++slot) {
                int r = w + slot * 8;
                if (r < BM) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BK + 32 - 1) / 32; ++slot2) {
                        int c = lane + slot2 * 32;
                        if (c < BK)
                            as_stage[stage][r][c] = as_next[slot][slot2];
                    }
                }
            }
            #pragma unroll
            for (int slot = 0; slot < (BK + 8 - 1) / 8; ++slot) {
                int r = w + slot * 8;
                if (r < BK) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BN + 32 - 1) / 32; ++slot2) {
                        int c = lane + slot2 * 32;
                        if (c < BN)
                            bs_stage[stage][r][c] = bs_next[slot][slot2];
                    }
                }
            }
            block.sync();
        }
        for (int q = 0; q < BK; ++q)
            for (int i = 0; i < BM / 8; ++i)
                for (int j = 0; j < BN / 32; ++j)
                    sums[i][j] += as_stage[stage][w + i * 8][q] * bs_stage[stage][q][lane + j * 32];
    }
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
