// Persistent GEMM: a fixed number of blocks walks over all output tiles with a grid stride.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int TILE = 16;

// pipelinify: launch persistent_gemm
//   sizes    M=40 N=50 K=0,1,16,17,32,48,64,80 blocks=1,3
//   sizes    M=16 N=16 K=33 blocks=2
//   target   M=4096 N=4096 K=4096 blocks=264
//   requires M > 0 && N > 0
//   grid     blocks
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void persistent_gemm(const float* __restrict__ A, const float* __restrict__ B,
                                float* __restrict__ C, int M, int N, int K)
{
    constexpr int stages = 4;
    __shared__ float As_stage[stages][TILE][TILE];
    __shared__ float Bs_stage[stages][TILE][TILE];

    const int tilesN = (N + TILE - 1) / TILE;
    const int tiles = ((M + TILE - 1) / TILE) * tilesN;
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    {
        const int row = tile / tilesN * TILE + ty;
        const int col = tile % tilesN * TILE + tx;
        float acc = 0.0f;

        // pipelinify: cp.async, 4 stages, source 37af4299
        int k0_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage)
        {
            if (k0_load < K)
            {
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + k0_load + tx],
                                        sizeof(float),
                                        (row < M && k0_load + tx < K) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col],
                                        sizeof(float),
                                        (k0_load + ty < K && col < N) ? 0 : sizeof(float));
                k0_load += TILE;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int k0 = 0; k0 < K; k0 += TILE)
        {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            for (int k = 0; k < TILE; ++k)
                acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();

        if (row < M && col < N)
            C[row * N + col] = acc;
    }
}
