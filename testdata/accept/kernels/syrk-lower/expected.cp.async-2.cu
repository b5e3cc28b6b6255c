// C = alpha * A * A^T + beta * C, lower triangle only: both tiles come from A, upper blocks return at once.
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_pipeline.h>

#define NB 16

#ifdef __cplusplus
extern "C" {
#endif

// pipelinify: launch ssyrk_lower
//   sizes    n=16 k=0,1,15,16,17,32,48,64,80
//   sizes    n=40 k=30
//   let      lda = k + 2
//   target   n=4096 k=4096
//   requires n > 0
//   grid     (n + 15) / 16, (n + 15) / 16
//   block    16, 16
//   n:       n
//   k:       k
//   alpha:   0.5
//   A:       in    [n * lda]
//   lda:     lda
//   beta:    -1.0
//   C:       inout [n * n]
__global__ void ssyrk_lower(int32_t n, int32_t k, float alpha, const float *A, int32_t lda,
                            float beta, float *C)
{
    if (blockIdx.x > blockIdx.y) return;

    __shared__ float rows_stage[2][NB][NB + 1];
    __shared__ float cols_stage[2][NB][NB + 1];

    const int32_t i = blockIdx.y * NB + threadIdx.y;
    const int32_t j = blockIdx.x * NB + threadIdx.x;
    const int32_t jl = blockIdx.x * NB + threadIdx.y;   /* row of A that this thread loads for the columns */

    float acc = 0.f;
    // pipelinify: cp.async, 2 stages, source 0044cb75
    int32_t p_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < k) {
            int32_t q = p_load + threadIdx.x;
            __pipeline_memcpy_async(&rows_stage[load_stage][threadIdx.y][threadIdx.x], &A[i * lda + q], sizeof(float),
                                    (i < n && q < k) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&cols_stage[load_stage][threadIdx.y][threadIdx.x], &A[jl * lda + q], sizeof(float),
                                    (jl < n && q < k) ? 0 : sizeof(float));
            p_load += NB;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (int32_t p = 0; p < k; p += NB) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int32_t l = 0; l < NB; ++l)
            acc += rows_stage[stage][threadIdx.y][l] * cols_stage[stage][threadIdx.x][l];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (i < n && j <= i)
        C[i * n + j] = alpha * acc + beta * C[i * n + j];
}

#ifdef __cplusplus
}
#endif
