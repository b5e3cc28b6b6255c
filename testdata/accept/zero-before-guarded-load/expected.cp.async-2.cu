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
    {
        int k0 = 0;
        if (k0 < K) {
            // Prologue: load the first tile.
            {
                auto &As = As_stage[0];
                auto &Bs = Bs_stage[0];
                if (row < M && k0 + tx < K) {
                    __pipeline_memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float));
                } else {
                    As[ty][tx] = 0.0f;
                }
                if (col < N && k0 + ty < K) {
                    __pipeline_memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
                } else {
                    Bs[ty][tx] = 0.0f;
                }
            }
            k0 += TILE;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; k0 < K; k0 += TILE) {
                {
                    auto &As = As_stage[stage ^ 1];
                    auto &Bs = Bs_stage[stage ^ 1];
                    if (row < M && k0 + tx < K) {
                        __pipeline_memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float));
                    } else {
                        As[ty][tx] = 0.0f;
                    }
                    if (col < N && k0 + ty < K) {
                        __pipeline_memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
                    } else {
                        Bs[ty][tx] = 0.0f;
                    }
                }
                __pipeline_commit();
                {
                    auto &As = As_stage[stage];
                    auto &Bs = Bs_stage[stage];
                    for (int k = 0; k < TILE; ++k)
                        acc += As[ty][k] * Bs[k][tx];
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &As = As_stage[stage];
                auto &Bs = Bs_stage[stage];
                for (int k = 0; k < TILE; ++k)
                    acc += As[ty][k] * Bs[k][tx];
            }
        }
    }
    if (row < M && col < N)
        C[row * N + col] += acc;
}
