// Quantised matrix product: int8 x int8 on tensor cores, int32 sums scaled to float on output.
// Each operand is copied a byte at a time; edges are padded with zeros.
#include <cuda_runtime.h>
#include <mma.h>
#include <stdint.h>
#include <cuda_pipeline.h>

using namespace nvcuda;

#define BM 64
#define BN 64
#define BK 32
#define BLOCK_SIZE 128

// pipelinify: launch igemm_tiled
//   sizes    M=64 N=64 K=0,1,31,32,33,64,96,100,160
//   sizes    M=50,65 N=47,70 K=48,129
//   sizes    M=50,70 N=80 K=48,112
//   target   M=4096 N=4096 K=4096
//   requires M > 0 && N > 0
//   grid     (N + 63) / 64, (M + 63) / 64
//   block    128
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
//   scale:   0.0078125
//   work     flops 2 * M * N * K
//   work     bytes M * K + K * N + 4 * M * N
__global__ void igemm_tiled(const int8_t *__restrict__ A, const int8_t *__restrict__ B,
                            float *__restrict__ C, int M, int N, int K, float scale)
{
    __shared__ __align__(32) int8_t smem_a_stage[2][BM * BK];
    __shared__ __align__(32) int8_t smem_b_stage[2][BK * BN];
    __shared__ __align__(32) int32_t smem_c[4][16 * 16];

    int tid = threadIdx.x;
    int lane = tid % 32;
    int warp = tid / 32;
    int warp_m = warp / 2;
    int warp_n = warp % 2;
    int block_m = blockIdx.y * BM;
    int block_n = blockIdx.x * BN;

    wmma::fragment<wmma::accumulator, 16, 16, 16, int32_t> acc[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(acc[i][j], 0);

    int num_tiles = (K + BK - 1) / BK;
    // pipelinify: cp.async, 2 stages, source 4979019d
    // Whether 16 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == BLOCK_SIZE && (BM * BK) % 16 == 0 && BK % 16 == 0 &&
                        (size_t)A % 16 == 0 && K % 16 == 0 && (BK * BN) % 16 == 0 && BN % 16 == 0 &&
                        (size_t)B % 16 == 0 && N % 16 == 0;
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < num_tiles) {
            int k_offset = tile_load * BK;

            if (joined) {
                for (int idx = 16 * tid; idx < BM * BK; idx += 16 * BLOCK_SIZE) {
                    int row = idx / BK;
                    int col = idx % BK;
                    int gr = block_m + row;
                    int gc = k_offset + col;
                    __pipeline_memcpy_async(&smem_a_stage[load_stage][idx], &A[gr * K + gc], 16,
                                            (gr < M && gc < K) ? 0 : 16);
                }
                for (int idx = 16 * tid; idx < BK * BN; idx += 16 * BLOCK_SIZE) {
                    int row = idx / BN;
                    int col = idx % BN;
                    int gr = k_offset + row;
                    int gc = block_n + col;
                    __pipeline_memcpy_async(&smem_b_stage[load_stage][idx], &B[gr * N + gc], 16,
                                            (gr < K && gc < N) ? 0 : 16);
                }
            } else {
                for (int idx = tid; idx < BM * BK; idx += BLOCK_SIZE) {
                    int row = idx / BK;
                    int col = idx % BK;
                    int gr = block_m + row;
                    int gc = k_offset + col;
                    smem_a_stage[load_stage][idx] = (gr < M && gc < K) ? A[gr * K + gc] : 0;
                }
                for (int idx = tid; idx < BK * BN; idx += BLOCK_SIZE) {
                    int row = idx / BN;
                    int col = idx % BN;
                    int gr = k_offset + row;
                    int gc = block_n + col;
                    smem_b_stage[load_stage][idx] = (gr < K && gc < N) ? B[gr * N + gc] : 0;
                }
            }
            tile_load++;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int tile = 0; tile < num_tiles; tile++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int kk = 0; kk < BK; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++)
                wmma::load_matrix_sync(fa[i],
                                       &smem_a_stage[stage][(warp_m * 32 + i * 16) * BK + kk], BK);
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(fb[j], &smem_b_stage[stage][kk * BN + warp_n * 32 + j * 16],
                                       BN);
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            wmma::store_matrix_sync(smem_c[warp], acc[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 256; e += 32) {
                int row = block_m + warp_m * 32 + i * 16 + e / 16;
                int col = block_n + warp_n * 32 + j * 16 + e % 16;
                if (row < M && col < N)
                    C[row * N + col] = scale * (float)smem_c[warp][e];
            }
            __syncwarp();
        }
}
