#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 16
#define ROWS 4

// Each tile is fetched into registers while the others may still read the last one.
// pipelinify: launch gemm_fetch_first
//   sizes  M=16,33 N=16,40 K=0,1,16,17,48,80
//   target M=4096 N=4096 K=4096
//   grid   (N + 15) / 16, (M + 15) / 16
//   block  16, 16
//   A:     in  [M * K] random
//   B:     in  [K * N] random
//   C:     out [M * N]
//   M:     M
//   N:     N
//   K:     K
__global__ void gemm_fetch_first(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                 int M, int N, int K)
{
    __shared__ float a_tile_stage[2][TILE][TILE + 1];
    __shared__ float b_tile_stage[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source a664902c
    int k0_load = 0, stage = 0;
    if (k0_load < K) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            __pipeline_memcpy_async(&a_tile_stage[load_stage][ty][tx], &A[row * K + k0_load + tx], sizeof(float),
                                    (row < M && k0_load + tx < K) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&b_tile_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col], sizeof(float),
                                    (col < N && k0_load + ty < K) ? 0 : sizeof(float));
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
            sum += a_tile_stage[stage][ty][k] * b_tile_stage[stage][k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N)
        C[row * N + col] = sum;
}

// pipelinify: launch column_products
//   sizes  strips=0,1,2,3,4,7 columns=32,64
//   target strips=4096 columns=4096
//   grid   columns / 32
//   block  32
//   x:     in  [strips * 4 * columns] range(-1, 1)
//   gain:  in  [strips] range(-1, 1)
//   out:   out [columns]
//   rows:  max(strips * 4 - 1, 0)
//   columns: columns
__global__ void column_products(const float *__restrict__ x, const float *__restrict__ gain, float *__restrict__ out,
                                int rows, int columns)
{
    __shared__ float strip[ROWS][32];
    float held[ROWS], total = 0.0f;
    const int column = blockIdx.x * 32 + threadIdx.x;
    const float *from = x + column;

    for (int r = 0; r < rows; r += ROWS) {
        const float g = gain[r / ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            held[i] = r + i < rows ? from[i * columns] * g : 1.0f;
        from += ROWS * columns;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            strip[i][threadIdx.x] = held[i];
        __syncthreads();
        for (int c = 0; c < 32; ++c)
            total += strip[0][c] * strip[1][c] - strip[2][c] * strip[3][(c + threadIdx.x) & 31] * g;
    }
    out[column] = total;
}
