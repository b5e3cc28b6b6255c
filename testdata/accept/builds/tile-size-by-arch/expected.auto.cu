// One text, two sizes of tile: each build sees a rewrite of its own.
// pipelinify: launch skinny_gemm
//   sizes n=32,64 k=0,32,64,96,128,160,192
//   target n=8192 k=2048
//   grid  n / 32
//   block 32
//   a: in    [8 * k + 1]
//   b: in    [k * n + 1]
//   c: inout [8 * n]
//   n: n
//   k: k
#include <cuda_pipeline.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TILE_K 32
#else
#define TILE_K 16
#endif

__global__ void skinny_gemm(const float *__restrict__ a,
                            const float *__restrict__ b,
                            float *__restrict__ c, int n, int k)
{
    constexpr int stages = 8;
    __shared__ float at_stage[stages][8][TILE_K];
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[8] = {0.f};

    // pipelinify: cp.async, 8 stages, source 351dc0d5
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            if (threadIdx.x < 8) {
                for (int kk = 0; kk < TILE_K; ++kk)
                    __pipeline_memcpy_async(
                        &at_stage[load_stage][threadIdx.x][kk],
                        &a[threadIdx.x * k + k0_load + kk], sizeof(float));
            }
            k0_load += TILE_K;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += TILE_K) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int kk = 0; kk < TILE_K; ++kk) {
            const float bv = b[(k0 + kk) * n + col];
#pragma unroll
            for (int r = 0; r < 8; ++r)
                acc[r] += at_stage[stage][r][kk] * bv;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int r = 0; r < 8; ++r)
        c[r * n + col] = acc[r];
}
