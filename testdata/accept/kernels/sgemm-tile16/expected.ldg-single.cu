// Single precision C = A * B with 16x16 tiles, one output element a thread.
#include <cuda_runtime.h>

#define TILE 16

// pipelinify: launch sgemm_tile16
//   sizes    M=16 N=16 K=0,16,32,48,64,80
//   sizes    M=32,48 N=32 K=16,48,112
//   target   M=4096 N=4096 K=4096
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in    [M * K]  random
//   B:       in    [K * N]  random
//   C:       out   [M * N]
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
//   work     bytes 4 * (M * K + K * N + M * N)
__global__ void sgemm_tile16(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source ecfa9947
    int t = 0;
    if (t < K / TILE) {
        As[ty][tx] = A[row * K + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * N + col];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < K / TILE; ++t) {
            float As_next = A[row * K + t * TILE + tx];
            float Bs_next = B[(t * TILE + ty) * N + col];

            for (int k = 0; k < TILE; ++k)
                sum += As[ty][k] * Bs[k][tx];
            __syncthreads();
            As[ty][tx] = As_next;
            Bs[ty][tx] = Bs_next;
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
    }
    C[row * N + col] = sum;
}
