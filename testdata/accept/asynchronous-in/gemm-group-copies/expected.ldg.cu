#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// All threads of a group copy a piece of a matrix, whatever group it is.
template <typename Group, typename T, int ROWS, int COLS>
__device__ void copy_tile(const Group &group, T (&dst)[ROWS][COLS], const T *src, int ld)
{
    for (int i = group.thread_rank(); i < ROWS * COLS; i += group.size())
        dst[i / COLS][i % COLS] = src[(i / COLS) * ld + i % COLS];
}

template <typename Group, typename T, int ROWS, int COLS>
__device__ auto copy_tile_fetch(const Group &group, T (&dst)[ROWS][COLS], const T *src, int ld)
{
    struct {
        T dst_next[8];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int i = group.thread_rank() + slot * (group.size());
        if (i < ROWS * COLS)
            next.dst_next[slot] = src[(i / COLS) * ld + i % COLS];
    }
    return next;
}

template <typename Group, typename T, int ROWS, int COLS, typename Registers>
__device__ void copy_tile_store(const Group &group, T (&dst)[ROWS][COLS], const T *src, int ld,
                                const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int i = group.thread_rank() + slot * (group.size());
        if (i < ROWS * COLS)
            dst[i / COLS][i % COLS] = next.dst_next[slot];
    }
    // What has not been fetched ahead.
    for (int i = group.thread_rank() + 8 * (group.size()); i < ROWS * COLS; i += group.size())
        dst[i / COLS][i % COLS] = src[(i / COLS) * ld + i % COLS];
}

// pipelinify: launch group_gemm
//   sizes    M=32 N=32,64 K=0,32,64,96,160,224
//   target   M=2048 N=2048 K=2048
//   grid     N / 32, M / 32
//   block    32, 8
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void group_gemm(const float *__restrict__ A, const float *__restrict__ B,
                           float *__restrict__ C, int N, int K)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ float a_stage[2][32][32];
    __shared__ float b_stage[2][32][32];
    float acc[4] = {};

    // pipelinify: ldg, 2 stages, source bbe21c40
    int k0 = 0, stage = 0;
    if (k0 < K) {
        copy_tile(block, a_stage[0], A + blockIdx.y * 32 * K + k0, K);
        copy_tile(block, b_stage[0], B + k0 * N + blockIdx.x * 32, N);
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < K; k0 += 32) {
            auto a_next = copy_tile_fetch(block, a_stage[0], A + blockIdx.y * 32 * K + k0, K);
            auto b_next = copy_tile_fetch(block, b_stage[0], B + k0 * N + blockIdx.x * 32, N);
            for (int k = 0; k < 32; ++k)
                for (int r = 0; r < 4; ++r)
                    acc[r] += a_stage[stage][threadIdx.y + 8 * r][k] *
                              b_stage[stage][k][threadIdx.x];
            stage ^= 1;
            copy_tile_store(block, a_stage[stage], A + blockIdx.y * 32 * K + k0, K, a_next);
            copy_tile_store(block, b_stage[stage], B + k0 * N + blockIdx.x * 32, N, b_next);
            block.sync();
        }
        for (int k = 0; k < 32; ++k)
            for (int r = 0; r < 4; ++r)
                acc[r] += a_stage[stage][threadIdx.y + 8 * r][k] * b_stage[stage][k][threadIdx.x];
    }
    for (int r = 0; r < 4; ++r)
        C[(blockIdx.y * 32 + threadIdx.y + 8 * r) * N + blockIdx.x * 32 + threadIdx.x] = acc[r];
}
