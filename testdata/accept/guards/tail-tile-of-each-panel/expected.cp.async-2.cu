// The block goes over several panels; behind the whole tiles of each one the same memory takes the
// ragged rest, a transposition, a reduction.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 16

// pipelinify: launch gemm_panels
//   sizes   M=16 N=48,64 K=0,1,15,16,17,32,47,64,81
//   sizes   M=32 N=16 K=40
//   target  M=2048 N=2048 K=2050
//   grid    2, M / 16
//   block   16, 16
//   A:      in  [M * K + 1]
//   B:      in  [K * N + 1]
//   Ct:     out [M * N]
//   M:      M
//   N:      N
//   K:      K
__global__ void gemm_panels(const float *__restrict__ A, const float *__restrict__ B,
                            float *__restrict__ Ct, int M, int N, int K)
{
    __shared__ float as_stage[2][TILE][TILE];
    __shared__ float bs_stage[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * TILE;
    const int whole = K / TILE * TILE;

    for (int col0 = blockIdx.x * TILE; col0 < N; col0 += gridDim.x * TILE) {
        float acc = 0.0f;
        int stage = 0;
        // pipelinify: cp.async, 2 stages, source 50ea6817
        int k0_load = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < whole) {
                __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], &A[(row0 + ty) * K + k0_load + tx],
                                        sizeof(float));
                __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col0 + tx],
                                        sizeof(float));
                k0_load += TILE;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int k0 = 0; k0 < whole; k0 += TILE) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int k = 0; k < TILE; ++k)
                acc += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        // Back to the stage of the last tile.
        stage = stage == 0 ? 1 : stage - 1;
        __syncthreads();

        if (whole < K) {
            as_stage[stage][ty][tx] = whole + tx < K ? A[(row0 + ty) * K + whole + tx] : 0.0f;
            bs_stage[stage][ty][tx] = whole + ty < K ? B[(whole + ty) * N + col0 + tx] : 0.0f;
            __syncthreads();
            for (int k = 0; k < TILE; ++k)
                acc += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
            __syncthreads();
        }
        Ct[(col0 + tx) * M + row0 + ty] = acc;
    }
}

// Rows of a matrix against themselves backwards; the sums meet where the tiles were.
//
// pipelinify: launch palindromes
//   sizes   rows=5 n=0,1,63,64,65,128,200,256,320,448
//   target  rows=4096 n=8192
//   grid    2
//   block   64
//   x:      in  [rows * n + 1]
//   out:    out [rows]
//   rows:   rows
//   n:      n
__global__ void palindromes(const float *__restrict__ x, float *__restrict__ out, int rows, int n)
{
    __shared__ float part_stage[2][64];
    const int t = threadIdx.x;

    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        const float *row = x + (size_t)r * n;
        float acc = 0.0f;
        int stage = 0;
        // pipelinify: cp.async, 2 stages, source 413dc724
        int i_load = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][t], &row[i_load + t], sizeof(float),
                                        (i_load + t < n) ? 0 : sizeof(float));
                i_load += 64;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int i = 0; i < n; i += 64) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            acc += part_stage[stage][t] * part_stage[stage][63 - t];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        // Back to the stage of the last tile.
        stage = stage == 0 ? 1 : stage - 1;
        __syncthreads();

        part_stage[stage][t] = acc;
        __syncthreads();
        for (int half = 32; half > 0; half >>= 1) {
            if (t < half)
                part_stage[stage][t] += part_stage[stage][t + half];
            __syncthreads();
        }
        if (t == 0)
            out[r] = part_stage[stage][0];
        __syncthreads();
    }
}

// The tile is filled by a copy loop, and so is what goes out by it.
//
// pipelinify: launch shift_sums
//   sizes   m=33 n=0,7,8,16,40,64
//   target  m=4096 n=2048
//   grid    2
//   block   64
//   x:      in  [m * n + 1]
//   y:      out [m * 128]
//   m:      m
//   n:      n
__global__ void __launch_bounds__(64) shift_sums(const float *__restrict__ x,
                                                 float *__restrict__ y, int m, int n)
{
    __shared__ float strip_stage[2][8][16];
    for (int r = blockIdx.x; r < m; r += gridDim.x) {
        float sums[2] = {0.0f, 0.0f};
        int stage = 0;
        // pipelinify: cp.async, 2 stages, source d117cc4e
        int j_load = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (j_load + 8 <= n) {
                for (int e = threadIdx.x; e < 128; e += 64)
                    __pipeline_memcpy_async(&strip_stage[load_stage][e / 16][e % 16],
                                            &x[r * n + j_load + (e * 5 + r) % 8], sizeof(float));
                j_load += 8;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int j = 0; j + 8 <= n; j += 8) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int k = 0; k < 8; ++k) {
                sums[0] += strip_stage[stage][k][threadIdx.x % 16];
                sums[1] += strip_stage[stage][k][(threadIdx.x + 1) % 16];
            }
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        // Back to the stage of the last tile.
        stage = stage == 0 ? 1 : stage - 1;
        __syncthreads();
        for (int e = threadIdx.x; e < 128; e += 64)
            strip_stage[stage][e / 16][e % 16] = sums[e / 64];
        __syncthreads();
        for (int k = 0; k < 2; ++k)
            y[r * 128 + k * 64 + threadIdx.x] = strip_stage[stage][(threadIdx.x / 8 + k) % 8][threadIdx.x % 16] + sums[k];
        __syncthreads();
    }
}
