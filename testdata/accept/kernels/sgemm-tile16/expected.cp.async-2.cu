// Single precision C = A * B with 16x16 tiles, one output element a thread.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float As_stage[2][TILE][TILE];
    __shared__ float Bs_stage[2][TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source ecfa9947
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < K / TILE) {
            __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + t_load * TILE + tx],
                                    sizeof(float));
            __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx],
                                    &B[(t_load * TILE + ty) * N + col], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < K / TILE; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < TILE; ++k)
            sum += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    C[row * N + col] = sum;
}
