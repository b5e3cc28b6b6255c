// Tiles that are zeroed cell by cell, and then loaded where there is something to load.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 16

// pipelinify: launch gemm_zeroed
//   sizes  M=20 N=18 K=0,1,15,16,17,33,48,70
//   target M=1024 N=1024 K=1024
//   grid   (N + 15) / 16, (M + 15) / 16
//   block  16, 16
//   A: in    [M * K + 1] random
//   B: in    [K * N + 1] random
//   C: inout [M * N] random
//   M: M
//   N: N
//   K: K
__global__ void gemm_zeroed(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As_stage[2][TILE][TILE];
    __shared__ float Bs_stage[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    // pipelinify: cp.async, 2 stages, source 4ff583a6
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            if (row < M && k0_load + tx < K)
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + k0_load + tx],
                                        sizeof(float));
            else
                As_stage[load_stage][ty][tx] = 0.0f;
            if (col < N && k0_load + ty < K) {
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col],
                                        sizeof(float));
            } else {
                Bs_stage[load_stage][ty][tx] = 0.0f;
            }
            k0_load += TILE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < TILE; ++k)
            acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N)
        C[row * N + col] += acc;
}
