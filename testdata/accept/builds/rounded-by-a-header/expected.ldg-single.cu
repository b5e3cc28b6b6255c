// What is loaded is rounded, masked and scaled by inline assembly, some of it in a
// header.
#include <cuda_runtime.h>
#include "rounding.cuh"

#define TILE 16

// pipelinify: launch rounded_gemm
//   sizes    M=16,17,32 N=16,20 K=0,1,16,20,33,48
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   W:       in  [K * N + 1]
//   scale:   in  [K + 1]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void rounded_gemm(const float *__restrict__ A, const unsigned *__restrict__ W,
                             const float *__restrict__ scale, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float as[TILE][TILE + 1];
    __shared__ float ws[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source e41746d2
    int k0 = 0;
    if (k0 < K) {
        as[ty][tx] = row < M && k0 + tx < K ? to_tf32(A[row * K + k0 + tx]) : 0.0f;
        if (col < N && k0 + ty < K) {
            const float code = (float)low_bits(W[(k0 + ty) * N + col]);
            float weight;
            asm volatile("mul.f32 %0, %1, %2;\n" : "=f"(weight) : "f"(code), "f"(scale[k0 + ty]));
            ws[ty][tx] = weight;
        } else {
            ws[ty][tx] = 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < K; k0 += TILE) {
            float ws_next;
            float as_next = row < M && k0 + tx < K ? to_tf32(A[row * K + k0 + tx]) : 0.0f;
            if (col < N && k0 + ty < K) {
                const float code = (float)low_bits(W[(k0 + ty) * N + col]);
                float weight;
                asm volatile("mul.f32 %0, %1, %2;\n" : "=f"(weight) : "f"(code), "f"(scale[k0 + ty]));
                ws_next = weight;
            }
            for (int k = 0; k < TILE; ++k)
                sum += as[ty][k] * ws[k][tx];
            __syncthreads();
            as[ty][tx] = as_next;
            if (col < N && k0 + ty < K) {
                ws[ty][tx] = ws_next;
            } else {
                ws[ty][tx] = 0.0f;
            }
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            sum += as[ty][k] * ws[k][tx];
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
