#include <cuda_runtime.h>

#define BT 16

// One lambda fills both tiles: it is handed the tile and the corner to load.
//
// pipelinify: launch gemm_filled
//   sizes M=16,19 N=16,21 K=0,1,16,33,64,130
//   target M=1024 N=1024 K=1024
//   grid  (N + 15) / 16, (M + 15) / 16
//   block 16, 16
//   A: in  [M * K + 1]
//   B: in  [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void gemm_filled(const float *__restrict__ A, const float *__restrict__ B,
                            float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As_stage[2][BT * BT];
    __shared__ float Bs_stage[2][BT * BT];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * BT, col0 = blockIdx.x * BT;

    auto fill = [&](float *tile, const float *src, int r0, int c0, int rows, int cols) {
        const int r = r0 + ty, c = c0 + tx;
        tile[ty * BT + tx] = r < rows && c < cols ? src[r * cols + c] : 0.f;
    };
    auto fill_fetch = [&](const float *src, int r0, int c0, int rows, int cols) {
        const int r = r0 + ty, c = c0 + tx;
        float tile_next = r < rows && c < cols ? src[r * cols + c] : 0.f;
        return tile_next;
    };
    auto fill_store = [&](float *tile, float tile_next) {
        tile[ty * BT + tx] = tile_next;
    };

    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source b95ee4e1
    int k0 = 0, stage = 0;
    if (k0 < K) {
        fill(As_stage[0], A, row0, k0, M, K);
        fill(Bs_stage[0], B, k0, col0, K, N);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BT; k0 < K; k0 += BT) {
            auto As_next = fill_fetch(A, row0, k0, M, K);
            auto Bs_next = fill_fetch(B, k0, col0, K, N);
            for (int k = 0; k < BT; ++k)
                acc += As_stage[stage][ty * BT + k] * Bs_stage[stage][k * BT + tx];
            stage ^= 1;
            fill_store(As_stage[stage], As_next);
            fill_store(Bs_stage[stage], Bs_next);
            __syncthreads();
        }
        for (int k = 0; k < BT; ++k)
            acc += As_stage[stage][ty * BT + k] * Bs_stage[stage][k * BT + tx];
    }
    if (row0 + ty < M && col0 + tx < N)
        C[(row0 + ty) * N + col0 + tx] = acc;
}
