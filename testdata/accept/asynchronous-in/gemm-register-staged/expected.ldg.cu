// SGEMM that fetches through register arrays declared outside of the K loop (64x64x16, 4x4 a thread).
#include <cuda_runtime.h>

#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FETCH_FLOAT4(pointer) (reinterpret_cast<float4*>(&(pointer))[0])

// pipelinify: launch Sgemm64
//   sizes    M=64 N=64 K=0,16,32,48,64,80
//   sizes    M=64 N=128 K=112
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, M / 64
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void Sgemm64(
    float * __restrict__ A,
    float * __restrict__ B,
    float * __restrict__ C,
    const int M,
    const int N,
    const int K) {

    const int BLOCK_SIZE_M = 64;
    const int BLOCK_SIZE_N = 64;
    const int BLOCK_SIZE_K = 16;
    const int THREAD_SIZE = 4;

    __shared__ __align__(16) float As_stage[2][BLOCK_SIZE_K][BLOCK_SIZE_M];
    __shared__ __align__(16) float Bs_stage[2][BLOCK_SIZE_K][BLOCK_SIZE_N];

    __align__(16) float accum[THREAD_SIZE][THREAD_SIZE] = {0};
    __align__(16) float ldg_a_reg[4];
    __align__(16) float ldg_b_reg[4];

    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int A_ROW = tid / 4;
    const int A_COL = tid % 4 * 4;
    const int B_ROW = tid / 16;
    const int B_COL = tid % 16 * 4;

    A = &A[(BLOCK_SIZE_M * blockIdx.y) * K];
    B = &B[BLOCK_SIZE_N * blockIdx.x];

    // pipelinify: ldg, 2 stages, source 6c46a23c
    int tile_idx = 0, stage = 0;
    if (tile_idx < K) {
        auto compute_tile = [&]() {
            #pragma unroll
            for (int k = 0; k < BLOCK_SIZE_K; ++k) {
                __align__(16) float frag_a[THREAD_SIZE], frag_b[THREAD_SIZE];
                FETCH_FLOAT4(frag_a[0]) = FETCH_FLOAT4(As_stage[stage][k][threadIdx.y * THREAD_SIZE]);
                FETCH_FLOAT4(frag_b[0]) = FETCH_FLOAT4(Bs_stage[stage][k][threadIdx.x * THREAD_SIZE]);
                #pragma unroll
                for (int y = 0; y < THREAD_SIZE; ++y) {
                    #pragma unroll
                    for (int x = 0; x < THREAD_SIZE; ++x) {
                        accum[y][x] += frag_a[y] * frag_b[x];
                    }
                }
            }
        };
        FETCH_FLOAT4(ldg_a_reg[0]) = FETCH_FLOAT4(A[OFFSET(A_ROW, A_COL + tile_idx, K)]);
        FETCH_FLOAT4(ldg_b_reg[0]) = FETCH_FLOAT4(B[OFFSET(tile_idx + B_ROW, B_COL, N)]);

        As_stage[0][A_COL][A_ROW] = ldg_a_reg[0];
        As_stage[0][A_COL + 1][A_ROW] = ldg_a_reg[1];
        As_stage[0][A_COL + 2][A_ROW] = ldg_a_reg[2];
        As_stage[0][A_COL + 3][A_ROW] = ldg_a_reg[3];
        FETCH_FLOAT4(Bs_stage[0][B_ROW][B_COL]) = FETCH_FLOAT4(ldg_b_reg[0]);
        tile_idx += BLOCK_SIZE_K;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; tile_idx < K; tile_idx += BLOCK_SIZE_K) {
            FETCH_FLOAT4(ldg_a_reg[0]) = FETCH_FLOAT4(A[OFFSET(A_ROW, A_COL + tile_idx, K)]);
            FETCH_FLOAT4(ldg_b_reg[0]) = FETCH_FLOAT4(B[OFFSET(tile_idx + B_ROW, B_COL, N)]);
            compute_tile();
            stage ^= 1;
            As_stage[stage][A_COL][A_ROW] = ldg_a_reg[0];
            As_stage[stage][A_COL + 1][A_ROW] = ldg_a_reg[1];
            As_stage[stage][A_COL + 2][A_ROW] = ldg_a_reg[2];
            As_stage[stage][A_COL + 3][A_ROW] = ldg_a_reg[3];
            FETCH_FLOAT4(Bs_stage[stage][B_ROW][B_COL]) = FETCH_FLOAT4(ldg_b_reg[0]);
            __syncthreads();
        }
        compute_tile();
    }

    #pragma unroll
    for (int y = 0; y < THREAD_SIZE; ++y) {
        FETCH_FLOAT4(C[OFFSET(BLOCK_SIZE_M * blockIdx.y + threadIdx.y * THREAD_SIZE + y,
                              BLOCK_SIZE_N * blockIdx.x + threadIdx.x * THREAD_SIZE, N)])
            = FETCH_FLOAT4(accum[y][0]);
    }
}
