// A local begins with what stands for cells beyond the matrix, and is loaded where there are cells.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 16

// pipelinify: launch gemm_ragged
//   sizes   M=17 N=20 K=0,1,15,16,17,33,48,64,70
//   sizes   M=32 N=16 K=40
//   target  M=2040 N=2040 K=2040
//   grid    (N + 15) / 16, (M + 15) / 16
//   block   16, 16
//   A:      in  [M * K + 1]
//   B:      in  [K * N + 1]
//   C:      out [M * N]
//   M:      M
//   N:      N
//   K:      K
__global__ void gemm_ragged(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                            int M, int N, int K)
{
    __shared__ float as_stage[2][TILE][TILE];
    __shared__ float bs_stage[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    // pipelinify: cp.async, 2 stages, source 593ff0f1
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            // rows at the bottom, columns of the last tile
            __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], &A[row * K + k0_load + tx], sizeof(float),
                                    (row < M && k0_load + tx < K) ? 0 : sizeof(float));

            if (col < N && k0_load + ty < K) {
                __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col], sizeof(float));
            } else {
                bs_stage[load_stage][ty][tx] = 0;
            }
            k0_load += TILE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < TILE; ++k)
            acc += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N)
        C[row * N + col] = acc;
}

// Four numbers at once, and several of them a thread; beyond the end is the largest distance.
//
// pipelinify: launch nearest_corner
//   sizes   n=0,1,63,64,127,128,129,256,300,512,700
//   target  n=65536
//   grid    2
//   block   64
//   boxes:  in  [n + 1] random
//   weight: in  [n + 1] random
//   least:  out [128]
//   n:      n
__global__ void __launch_bounds__(64) nearest_corner(const float4 *__restrict__ boxes,
                                                     const float *__restrict__ weight,
                                                     float *__restrict__ least, int n)
{
    __shared__ float4 box_stage[2][128];
    __shared__ float w_stage[2][128];
    const int t = threadIdx.x, me = blockIdx.x * 64 + t;
    float best = 1e30f;
    int inside = 0;

    // pipelinify: cp.async, 2 stages, source 13331ab0
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
#pragma unroll
            for (int i = t; i < 128; i += 64) {
                const int at = first_load + i;
                if (at < n) {
                    __pipeline_memcpy_async(&box_stage[load_stage][i], &boxes[at], sizeof(float4));
                } else {
                    box_stage[load_stage][i] = make_float4(1e30f, 1e30f, 1e30f, 1e30f);
                }
                if (at < n) {
                    __pipeline_memcpy_async(&w_stage[load_stage][i], &weight[at], sizeof(float));
                } else {
                    w_stage[load_stage][i] = 1.0f;
                }
            }
            first_load += 128;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int first = 0; first < n; first += 128) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 128; ++i) {
            const float dx = box_stage[stage][i].x - 0.01f * me, dy = box_stage[stage][i].w - box_stage[stage][i].y;
            best = fminf(best, (dx * dx + dy * dy) * (w_stage[stage][i] + 2.0f));
            inside += dx * dx < w_stage[stage][i] * dy * dy;
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    least[me] = best + inside;
}
