// Half-precision product on tensor cores: C = A * B, float sums. Tiles are copied one
// half at a time, rows and columns told apart by shifts; what lies outside is zero.
#include <cuda_fp16.h>
#include <mma.h>

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
    __shared__ __align__(32) half sa_stage[2][ROWS][DEPTH + PAD];
    __shared__ __align__(32) half sb_stage[2][DEPTH][COLS + PAD];
    __shared__ float out[4][16 * 16];

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLS;
    const int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::fill_fragment(sum[i][j], 0.0f);

    // pipelinify: ldg, 2 stages, source 45342195
    int k0 = 0, stage = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
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
        };
        for (int e = threadIdx.x; e < ROWS * DEPTH; e += blockDim.x) {
            int r = e >> 5, d = e & (DEPTH - 1);
            if (row0 + r < m && k0 + d < k)
                sa_stage[0][r][d] = a[(row0 + r) * k + k0 + d];
            else
                sa_stage[0][r][d] = __float2half(0.0f);
        }
        for (int e = threadIdx.x; e < DEPTH * COLS; e += blockDim.x) {
            int d = e / COLS, q = e % COLS;
            if (k0 + d < k && col0 + q < n)
                sb_stage[0][d][q] = b[(k0 + d) * n + col0 + q];
            else
                sb_stage[0][d][q] = __float2half(0.0f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += DEPTH; k0 < k; k0 += DEPTH) {
            half sa_next[16];
            half sb_next[16];
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < ROWS * DEPTH) {
                    int r = e >> 5, d = e & (DEPTH - 1);
                    if (row0 + r < m && k0 + d < k)
                        sa_next[slot] = a[(row0 + r) * k + k0 + d];
                    else
                        sa_next[slot] = __float2half(0.0f);
                }
            }
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < DEPTH * COLS) {
                    int d = e / COLS, q = e % COLS;
                    if (k0 + d < k && col0 + q < n)
                        sb_next[slot] = b[(k0 + d) * n + col0 + q];
                    else
                        sb_next[slot] = __float2half(0.0f);
                }
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < ROWS * DEPTH) {
                    int r = e >> 5, d = e & (DEPTH - 1);
                    sa_stage[stage][r][d] = sa_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int e = threadIdx.x + 16 * blockDim.x; e < ROWS * DEPTH; e += blockDim.x) {
                int r = e >> 5, d = e & (DEPTH - 1);
                if (row0 + r < m && k0 + d < k)
                    sa_stage[stage][r][d] = a[(row0 + r) * k + k0 + d];
                else
                    sa_stage[stage][r][d] = __float2half(0.0f);
            }
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < DEPTH * COLS) {
                    int d = e / COLS, q = e % COLS;
                    sb_stage[stage][d][q] = sb_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int e = threadIdx.x + 16 * blockDim.x; e < DEPTH * COLS; e += blockDim.x) {
                int d = e / COLS, q = e % COLS;
                if (k0 + d < k && col0 + q < n)
                    sb_stage[stage][d][q] = b[(k0 + d) * n + col0 + q];
                else
                    sb_stage[stage][d][q] = __float2half(0.0f);
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

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
