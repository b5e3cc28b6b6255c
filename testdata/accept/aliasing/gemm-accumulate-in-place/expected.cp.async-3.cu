// C += A B without a register accumulator: every K tile is added to C in global memory straight away.

#include <cuda_pipeline.h>

#define N_TILE 8

// pipelinify: launch gemm_inplace
//   sizes    M=8 N=8 K=0,1,7,8,9,16,24,32,40
//   sizes    M=15 N=20 K=21
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 7) / 8, (M + 7) / 8
//   block    8, 8
//   A:       in    [M * K]
//   B:       in    [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_inplace(float *A, float *B, float *C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float a_stage[stages][N_TILE][N_TILE];
    __shared__ float b_stage[stages][N_TILE][N_TILE];

    int y = threadIdx.y + N_TILE * blockIdx.y;
    int x = threadIdx.x + N_TILE * blockIdx.x;
    int tiles = (K + N_TILE - 1) / N_TILE;

    // pipelinify: cp.async, 3 stages, source da8e3252
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            int ka = t_load * N_TILE + threadIdx.x;
            int kb = t_load * N_TILE + threadIdx.y;
            __pipeline_memcpy_async(&a_stage[load_stage][threadIdx.y][threadIdx.x], &A[y * K + ka], sizeof(float),
                                    (y < M && ka < K) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&b_stage[load_stage][threadIdx.y][threadIdx.x], &B[kb * N + x], sizeof(float),
                                    (x < N && kb < K) ? 0 : sizeof(float));
            t_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        float part = 0;
        for (int k = 0; k < N_TILE; k++)
            part += a_stage[stage][threadIdx.y][k] * b_stage[stage][k][threadIdx.x];
        if (y < M && x < N)
            C[y * N + x] += part;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
