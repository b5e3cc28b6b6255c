#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// All threads of a group copy a piece of a matrix, whatever group it is.
template <typename Group, typename T, int ROWS, int COLS>
__device__ void copy_tile(const Group &group, T (&dst)[ROWS][COLS], const T *src, int ld)
{
    for (int i = group.thread_rank(); i < ROWS * COLS; i += group.size())
        dst[i / COLS][i % COLS] = src[(i / COLS) * ld + i % COLS];
}

template <typename Group, typename T, int ROWS, int COLS>
__device__ void copy_tile_async(const Group &group, T (&dst)[ROWS][COLS], const T *src, int ld)
{
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    for (int i = group.thread_rank(); i < ROWS * COLS; i += group.size())
        __pipeline_memcpy_async(&dst[i / COLS][i % COLS], &src[(i / COLS) * ld + i % COLS],
                                sizeof(T));
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
    constexpr int stages = 3;
    __shared__ float a_stage[stages][32][32];
    __shared__ float b_stage[stages][32][32];
    float acc[4] = {};

    // pipelinify: cp.async, 3 stages, source bbe21c40
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile2 = [&](int load_stage) {
        if (k0_load < K) {
            copy_tile_async(block, a_stage[load_stage], A + blockIdx.y * 32 * K + k0_load, K);
            copy_tile_async(block, b_stage[load_stage], B + k0_load * N + blockIdx.x * 32, N);
            k0_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile2(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += 32) {
        __pipeline_wait_prior(stages - 2);
        block.sync();
        copy_tile2(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 32; ++k)
            for (int r = 0; r < 4; ++r)
                acc[r] += a_stage[stage][threadIdx.y + 8 * r][k] * b_stage[stage][k][threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int r = 0; r < 4; ++r)
        C[(blockIdx.y * 32 + threadIdx.y + 8 * r) * N + blockIdx.x * 32 + threadIdx.x] = acc[r];
}
