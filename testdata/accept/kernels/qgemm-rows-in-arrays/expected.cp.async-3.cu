#include <cstdint>
#include <cuda/std/array>
#include <cuda_pipeline.h>
// s8 x s8 -> s32 with per-channel requantisation

using packed = std::int32_t; // four int8

template <int N>
__device__ int dot(const cuda::std::array<packed, N> &a, const packed *b)
{
    int s = 0;
    for (int i = 0; i < N; ++i) s = __dp4a(a[i], b[i], s);
    return s;
}

// pipelinify: launch qgemm
//   sizes  M=1,32,40 N=32 K4=0,8,16,40
//   target M=2048 N=2048 K4=512
//   grid   N / 32, (M + 31) / 32
//   block  32, 8
//   A: in [M * K4]
//   B: in [N * K4]
//   scale: in [N] range(0, 1)
//   C: out [M * N]
//   M: M
//   N: N
//   K4: K4
//   azp: 3
__global__ void qgemm(const packed *__restrict__ A, const packed *__restrict__ B, const float *__restrict__ scale,
                      std::int8_t *__restrict__ C, int M, int N, int K4, int azp)
{
    constexpr int stages = 3;
    __shared__ packed sa_stage[stages][32][8], sb_stage[stages][32][8 + 1];
    __shared__ int bsum[32];
    const auto tx = threadIdx.x, ty = threadIdx.y;
    const int m = blockIdx.y * 32, n = blockIdx.x * 32;

    cuda::std::array<int, 4> acc{};
    int zsum = 0;
    // pipelinify: cp.async, 3 stages, source 39e14d9d
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K4) {
            // 32 rows of eight words: thread (tx, ty) moves word ty of row tx
            {
                const int row = m + int(tx);
                if (row < M)
                    __pipeline_memcpy_async(&sa_stage[load_stage][tx][ty], &A[row * K4 + k_load + ty], sizeof(packed));
                else
                    sa_stage[load_stage][tx][ty] = 0;
            }
            __pipeline_memcpy_async(&sb_stage[load_stage][tx][ty], &B[(n + tx) * K4 + k_load + ty], sizeof(packed));
            k_load += 8;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < K4; k += 8) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        if (ty == 0) {
            int s = 0;
            for (int i = 0; i < 8; ++i) s = __dp4a(sb_stage[stage][tx][i], 0x01010101, s);
            bsum[tx] = s;
        }
        __syncthreads();

        zsum += bsum[tx];
        for (int j = 0; j < 4; ++j) {
            cuda::std::array<packed, 8> a;
            for (int i = 0; i < 8; ++i) a[i] = sa_stage[stage][ty + 8 * j][i];
            acc[j] += dot<8>(a, sb_stage[stage][tx]);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = 0; j < 4; ++j)
        if (const int row = m + ty + 8 * j; row < M) {
            const float v = scale[n + tx] * (float)(acc[j] - azp * zsum);
            C[row * N + n + tx] = (std::int8_t)max(-128, min(127, __float2int_rn(v * 0.001f)));
        }
}
