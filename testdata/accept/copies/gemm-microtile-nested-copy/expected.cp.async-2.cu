// Each thread owns a 2x4 patch of the output and copies 2x2 patches of both tiles with two nested loops.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define RS 2
#define CS 4
#define BLK 8
#define TILE_M (BLK * RS)
#define TILE_N (BLK * CS)
#define TILE_K (BLK * 2)

// pipelinify: launch patchGemm
//   sizes    M=16 N=32 K=0,1,15,16,17,32,48,64,80
//   sizes    M=19 N=45 K=40
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 31) / 32, (M + 15) / 16
//   block    8, 8
//   A:       in    [M * K]
//   B:       in    [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
//   alpha:   -1.5
__global__ void patchGemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha)
{
    __shared__ float As_stage[2][TILE_M][TILE_K];
    __shared__ float Bs_stage[2][TILE_K][TILE_N];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int r0 = blockIdx.y * TILE_M;
    const int c0 = blockIdx.x * TILE_N;
    float acc[RS][CS];

    for (int i = 0; i < RS; i++)
        for (int j = 0; j < CS; j++)
            acc[i][j] = 0;

    // pipelinify: cp.async, 2 stages, source 0186c713
    int t = 0, k0 = 0, stage = 0;
    if (t < (K + TILE_K - 1) / TILE_K) {
        for (int i = 0; i < RS; i++) {
            for (int j = 0; j < 2; j++) {
                int r = r0 + ty * RS + i;
                int c = k0 + tx * 2 + j;
                As_stage[0][ty * RS + i][tx * 2 + j] = (r < M && c < K) ? alpha * A[r * K + c] : 0.0f;
            }
        }
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < CS; j++) {
                int r = k0 + ty * 2 + i;
                int c = c0 + tx + j * BLK;
                __pipeline_memcpy_async(&Bs_stage[0][ty * 2 + i][tx + j * BLK], &B[r * N + c], sizeof(float),
                                        (r < K && c < N) ? 0 : sizeof(float));
            }
        }
        t++, k0 += TILE_K;
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (; t < (K + TILE_K - 1) / TILE_K; t++, k0 += TILE_K) {
            float As_next[RS][2];
            #pragma unroll
            for (int i = 0; i < RS; i++) {
                #pragma unroll
                for (int j = 0; j < 2; j++) {
                    int r = r0 + ty * RS + i;
                    int c = k0 + tx * 2 + j;
                    As_next[i][j] = (r < M && c < K) ? alpha * A[r * K + c] : 0.0f;
                }
            }
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < CS; j++) {
                    int r = k0 + ty * 2 + i;
                    int c = c0 + tx + j * BLK;
                    __pipeline_memcpy_async(&Bs_stage[stage ^ 1][ty * 2 + i][tx + j * BLK], &B[r * N + c],
                                            sizeof(float), (r < K && c < N) ? 0 : sizeof(float));
                }
            }
            __pipeline_commit();

            for (int k = 0; k < TILE_K; k++)
                for (int i = 0; i < RS; i++)
                    for (int j = 0; j < CS; j++)
                        acc[i][j] += As_stage[stage][ty * RS + i][k] * Bs_stage[stage][k][tx + j * BLK];
            stage ^= 1;
            #pragma unroll
            for (int i = 0; i < RS; i++) {
                #pragma unroll
                for (int j = 0; j < 2; j++) {
                    As_stage[stage][ty * RS + i][tx * 2 + j] = As_next[i][j];
                }
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int k = 0; k < TILE_K; k++)
            for (int i = 0; i < RS; i++)
                for (int j = 0; j < CS; j++)
                    acc[i][j] += As_stage[stage][ty * RS + i][k] * Bs_stage[stage][k][tx + j * BLK];
    }

    for (int i = 0; i < RS; i++)
        for (int j = 0; j < CS; j++)
            if (r0 + ty * RS + i < M && c0 + tx + j * BLK < N)
                C[(r0 + ty * RS + i) * N + c0 + tx + j * BLK] += acc[i][j];
}
