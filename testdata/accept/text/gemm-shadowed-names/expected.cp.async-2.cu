// A small GEMM whose author likes short names: k, t and As each mean several things in nested scopes.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

static const int t = 16;   // tile edge

__device__ int clampRow(int k, int M) { return k < M ? k : M - 1; }

// pipelinify: launch gemm_short_names
//   sizes    M=16 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=13 N=34 K=47
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_short_names(const float* A, const float* B, float* C, int M, int N, int K) {
    float c = 0.0f;
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * t + y, col = blockIdx.x * t + x;
    {
        // the block's share of C before the product, kept for the epilogue
        float As[1];
        As[0] = row < M && col < N ? C[row * N + col] : 0.0f;
        for (int k = 0; k < 1; ++k) c -= As[k];
    }

    __shared__ float As_stage[2][t][t];
    __shared__ float Bs_stage[2][t][t];

    // pipelinify: cp.async, 2 stages, source aea0b69a
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            {
                int row = clampRow(blockIdx.y * t + y, M);
                __pipeline_memcpy_async(&As_stage[load_stage][y][x], &A[row * K + k_load + x], sizeof(float),
                                        (k_load + x < K) ? 0 : sizeof(float));
            }
            {
                int row = k_load + y;
                __pipeline_memcpy_async(&Bs_stage[load_stage][y][x], &B[row * N + col], sizeof(float),
                                        (row < K && col < N) ? 0 : sizeof(float));
            }
            k_load += t;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < K; k += t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < t; ++k) {
            float t = As_stage[stage][y][k];
            c += t * Bs_stage[stage][k][x];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (row < M && col < N) {
        int k = row * N + col;
        C[k] = c;
    }
}

// x is a thread's column, and a counter of the products.
//
// pipelinify: launch rows_by_columns
//   sizes    n=0,16,32,48,80
//   target   n=65536
//   block    16, 16
//   a:       in  [16 * n + 16]
//   b:       in  [16 * n + 16]
//   c:       out [256]
//   n:       n
__global__ void rows_by_columns(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float left_stage[2][16][16];
    __shared__ float right_stage[2][16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 29ea57d7
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&left_stage[load_stage][y][x], &a[y * n + k_load + x], sizeof(float));
            __pipeline_memcpy_async(&right_stage[load_stage][y][x], &b[(k_load + y) * 16 + x], sizeof(float));
            k_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int x = 0; x < 16; ++x)
            sum += left_stage[stage][y][x] * right_stage[stage][x][threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    c[y * 16 + x] = sum;
}
