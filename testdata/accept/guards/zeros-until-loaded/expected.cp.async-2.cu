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
    {
        int k0 = 0;
        auto k0_load = k0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < K) {
                auto &as = as_stage[load_stage];
                auto &bs = bs_stage[load_stage];
                auto &k0 = k0_load;
                // rows at the bottom, columns of the last tile
                __pipeline_memcpy_async(&as[ty][tx], &A[row * K + k0 + tx], sizeof(float),
                                        (row < M && k0 + tx < K) ? 0 : sizeof(float));

                if (col < N && k0 + ty < K) {
                    __pipeline_memcpy_async(&bs[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
                } else {
                    bs[ty][tx] = 0;
                }
                k0 += TILE;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; k0 < K; k0 += TILE) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &as = as_stage[stage];
                auto &bs = bs_stage[stage];
                for (int k = 0; k < TILE; ++k)
                    acc += as[ty][k] * bs[k][tx];
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
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
    {
        int first = 0;
        auto first_load = first;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (first_load < n) {
                auto &box = box_stage[load_stage];
                auto &w = w_stage[load_stage];
                auto &first = first_load;
                #pragma unroll
                for (int i = t; i < 128; i += 64) {
                    const int at = first + i;
                    if (at < n) {
                        __pipeline_memcpy_async(&box[i], &boxes[at], sizeof(float4));
                    } else {
                        box[i] = make_float4(1e30f, 1e30f, 1e30f, 1e30f);
                    }
                    if (at < n) {
                        __pipeline_memcpy_async(&w[i], &weight[at], sizeof(float));
                    } else {
                        w[i] = 1.0f;
                    }
                }
                first += 128;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; first < n; first += 128) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &box = box_stage[stage];
                auto &w = w_stage[stage];
                for (int i = 0; i < 128; ++i) {
                    const float dx = box[i].x - 0.01f * me, dy = box[i].w - box[i].y;
                    best = fminf(best, (dx * dx + dy * dy) * (w[i] + 2.0f));
                    inside += dx * dx < w[i] * dy * dy;
                }
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    least[me] = best + inside;
}
