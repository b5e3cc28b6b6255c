#include <cuda_runtime.h>

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

    // pipelinify: ldg, 2 stages, source a664902c
    int k0 = 0, stage = 0;
    if (k0 < K) {
        __syncthreads();
        {
            const float a = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            const float b = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
            a_tile_stage[0][ty][tx] = a;
            b_tile_stage[0][ty][tx] = b;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < K; k0 += TILE) {
            const float a = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            const float b = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
            for (int k = 0; k < TILE; ++k)
                sum += a_tile_stage[stage][ty][k] * b_tile_stage[stage][k][tx];
            stage ^= 1;
            a_tile_stage[stage][ty][tx] = a;
            b_tile_stage[stage][ty][tx] = b;
            __syncthreads(); // the last tile is used up
        }
        for (int k = 0; k < TILE; ++k)
            sum += a_tile_stage[stage][ty][k] * b_tile_stage[stage][k][tx];
    }
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
    __shared__ float strip_stage[2][ROWS][32];
    float held[ROWS], total = 0.0f;
    const int column = blockIdx.x * 32 + threadIdx.x;
    const float *from = x + column;

    // pipelinify: ldg, 2 stages, source 70341d55
    int r = 0, r_tile = r, stage = 0;
    if (r < rows) {
        __syncthreads();
        auto compute_tile = [&]() {
            const float g = gain[r_tile / ROWS];
            for (int c = 0; c < 32; ++c)
                total += strip_stage[stage][0][c] * strip_stage[stage][1][c] -
                         strip_stage[stage][2][c] * strip_stage[stage][3][(c + threadIdx.x) & 31] * g;
        };
        {
            const float g = gain[r / ROWS];
#pragma unroll
            for (int i = 0; i < ROWS; ++i)
                held[i] = r + i < rows ? from[i * columns] * g : 1.0f;
            from += ROWS * columns;
#pragma unroll
            for (int i = 0; i < ROWS; ++i)
                strip_stage[0][i][threadIdx.x] = held[i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r += ROWS; r < rows; r += ROWS) {
            const float g = gain[r / ROWS];
#pragma unroll
            for (int i = 0; i < ROWS; ++i)
                held[i] = r + i < rows ? from[i * columns] * g : 1.0f;
            from += ROWS * columns;
            compute_tile();
            r_tile += ROWS;
            stage ^= 1;
#pragma unroll
            for (int i = 0; i < ROWS; ++i)
                strip_stage[stage][i][threadIdx.x] = held[i];
            __syncthreads();
        }
        compute_tile();
    }
    out[column] = total;
}
