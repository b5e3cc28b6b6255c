// Persistent GEMM: a fixed number of blocks walks over all output tiles with a grid stride.
#include <cuda_runtime.h>

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
    __shared__ float As_stage[2][TILE][TILE];
    __shared__ float Bs_stage[2][TILE][TILE];

    const int tilesN = (N + TILE - 1) / TILE;
    const int tiles = ((M + TILE - 1) / TILE) * tilesN;
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    {
        const int row = tile / tilesN * TILE + ty;
        const int col = tile % tilesN * TILE + tx;
        float acc = 0.0f;

        // pipelinify: ldg, 2 stages, source 37af4299
        int k0 = 0, stage = 0;
        if (k0 < K)
        {
            As_stage[0][ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            Bs_stage[0][ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += TILE; k0 < K; k0 += TILE)
            {
                float As_next = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
                float Bs_next = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
                for (int k = 0; k < TILE; ++k)
                    acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
                stage ^= 1;
                As_stage[stage][ty][tx] = As_next;
                Bs_stage[stage][ty][tx] = Bs_next;
                __syncthreads();
            }
            for (int k = 0; k < TILE; ++k)
                acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
            __syncthreads();
        }

        if (row < M && col < N)
            C[row * N + col] = acc;
    }
}
