// Tiles that are zeroed cell by cell, and then loaded where there is something to load.
#include <cuda_runtime.h>

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
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    // pipelinify: ldg-single, 1 stage, source d573046a
    int k0 = 0;
    if (k0 < K) {
        As[ty][tx] = 0.0f;
        Bs[ty][tx] = 0.0f;

        if (row < M && k0 + tx < K)
            As[ty][tx] = A[row * K + k0 + tx];
        if (col < N && k0 + ty < K) {
            Bs[ty][tx] = B[(k0 + ty) * N + col];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < K; k0 += TILE) {
            float As_next;
            float Bs_next;
            if (row < M && k0 + tx < K)
                As_next = A[row * K + k0 + tx];
            if (col < N && k0 + ty < K) {
                Bs_next = B[(k0 + ty) * N + col];
            }

            for (int k = 0; k < TILE; ++k)
                acc += As[ty][k] * Bs[k][tx];
            __syncthreads();
            As[ty][tx] = 0.0f;
            Bs[ty][tx] = 0.0f;
            if (row < M && k0 + tx < K)
                As[ty][tx] = As_next;
            if (col < N && k0 + ty < K) {
                Bs[ty][tx] = Bs_next;
            }
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];
    }
    if (row < M && col < N)
        C[row * N + col] += acc;
}
