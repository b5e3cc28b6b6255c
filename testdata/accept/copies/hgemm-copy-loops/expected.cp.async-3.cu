// Half-precision product on tensor cores: C = A * B, float sums. Tiles are copied one
// half at a time, rows and columns told apart by shifts; what lies outside is zero.
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_pipeline.h>

constexpr int ROWS = 64;
constexpr int COLS = 64;
constexpr int DEPTH = 32;
constexpr int PAD = 8;

// pipelinify: launch half_product
//   sizes    m=64 n=64 k=0,8,32,40,64,96,128,160
//   sizes    m=40,65 n=72,47 k=33,104
//   target   m=4096 n=4096 k=4096
//   requires m > 0 && n > 0
//   grid     (n + 63) / 64, (m + 63) / 64
//   block    128
//   a:       in  [m * k]
//   b:       in  [k * n]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
//   work     flops 2 * m * n * k
//   work     bytes 2 * m * k + 2 * k * n + 4 * m * n
__global__ void half_product(const half *__restrict__ a, const half *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k)
{
    using namespace nvcuda;
    constexpr int stages = 3;
    __shared__ __align__(32) half sa_stage[stages][ROWS][DEPTH + PAD];
    __shared__ __align__(32) half sb_stage[stages][DEPTH][COLS + PAD];
    __shared__ float out[4][16 * 16];

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLS;
    const int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::fill_fragment(sum[i][j], 0.0f);

    // pipelinify: cp.async, 3 stages, source 45342195
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)a % 16 == 0 && k % 8 == 0 && (size_t)b % 16 == 0 && n % 8 == 0;
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            if (joined) {
                for (int e = 8 * threadIdx.x; e < ROWS * DEPTH; e += 8 * blockDim.x) {
                    int r = e >> 5, d = e & (DEPTH - 1);
                    __pipeline_memcpy_async(&sa_stage[load_stage][r][d],
                                            &a[(row0 + r) * k + k0_load + d], 16,
                                            (row0 + r < m && k0_load + d < k) ? 0 : 16);
                }
                for (int e = 8 * threadIdx.x; e < DEPTH * COLS; e += 8 * blockDim.x) {
                    int d = e / COLS, q = e % COLS;
                    __pipeline_memcpy_async(&sb_stage[load_stage][d][q],
                                            &b[(k0_load + d) * n + col0 + q], 16,
                                            (k0_load + d < k && col0 + q < n) ? 0 : 16);
                }
            } else {
                for (int e = threadIdx.x; e < ROWS * DEPTH; e += blockDim.x) {
                    int r = e >> 5, d = e & (DEPTH - 1);
                    if (row0 + r < m && k0_load + d < k)
                        sa_stage[load_stage][r][d] = a[(row0 + r) * k + k0_load + d];
                    else
                        sa_stage[load_stage][r][d] = __float2half(0.0f);
                }
                for (int e = threadIdx.x; e < DEPTH * COLS; e += blockDim.x) {
                    int d = e / COLS, q = e % COLS;
                    if (k0_load + d < k && col0 + q < n)
                        sb_stage[load_stage][d][q] = b[(k0_load + d) * n + col0 + q];
                    else
                        sb_stage[load_stage][d][q] = __float2half(0.0f);
                }
            }
            k0_load += DEPTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int d = 0; d < DEPTH; d += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
            for (int i = 0; i < 2; ++i)
                wmma::load_matrix_sync(fa[i], &sa_stage[stage][wr + 16 * i][d], DEPTH + PAD);
            for (int j = 0; j < 2; ++j)
                wmma::load_matrix_sync(fb[j], &sb_stage[stage][d][wc + 16 * j], COLS + PAD);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            wmma::store_matrix_sync(out[warp], sum[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 256; e += 32) {
                int r = row0 + wr + 16 * i + e / 16, q = col0 + wc + 16 * j + e % 16;
                if (r < m && q < n)
                    c[r * n + q] = out[warp][e];
            }
            __syncwarp();
        }
}
