// GEMM made of small device functions: one fills a tile, one multiplies two tiles.
#include <cuda_runtime.h>

namespace tiled {

template <int ROWS, int COLS, int THREADS>
__device__ __forceinline__ void load_tile(float (&tile)[ROWS][COLS], const float *src, int ld,
                                          int row0, int col0, int rows, int cols)
{
    #pragma unroll
    for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) {
        int r = i / COLS;
        int c = i % COLS;
        if (row0 + r < rows && col0 + c < cols)
            tile[r][c] = src[(row0 + r) * ld + col0 + c];
        else
            tile[r][c] = 0.0f;
    }
}

template <int ROWS, int COLS, int THREADS>
__device__ __forceinline__ auto load_tile_fetch(float (&tile)[ROWS][COLS], const float *src, int ld,
                                          int row0, int col0, int rows, int cols)
{
    struct {
        float tile_next[(ROWS * COLS + THREADS - 1) / THREADS];
    } next;
    #pragma unroll
    for (int slot = 0; slot < (ROWS * COLS + THREADS - 1) / THREADS; ++slot) {
        int i = threadIdx.x + slot * THREADS;
        if (i < ROWS * COLS) {
            int r = i / COLS;
            int c = i % COLS;
            if (row0 + r < rows && col0 + c < cols)
                next.tile_next[slot] = src[(row0 + r) * ld + col0 + c];
            else
                next.tile_next[slot] = 0.0f;
        }
    }
    return next;
}

template <int ROWS, int COLS, int THREADS, typename Registers>
__device__ __forceinline__ void load_tile_store(float (&tile)[ROWS][COLS], const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < (ROWS * COLS + THREADS - 1) / THREADS; ++slot) {
        int i = threadIdx.x + slot * THREADS;
        if (i < ROWS * COLS) {
            int r = i / COLS;
            int c = i % COLS;
            tile[r][c] = next.tile_next[slot];
        }
    }
}

template <int BM, int BN, int BK>
__device__ __forceinline__ void multiply(const float (&a)[BM][BK], const float (&b)[BK][BN],
                                         float (&acc)[2][2], int r, int c)
{
    for (int k = 0; k < BK; ++k)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                acc[i][j] += a[r + i][k] * b[k][c + j];
}

// pipelinify: launch tiled::gemm<32, 32, 8>
//   sizes    M=32 N=32 K=0,1,7,8,9,16,24,32,45
//   sizes    M=31 N=65 K=20
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 31) / 32, (M + 31) / 32
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
template <int BM, int BN, int BK>
__global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int THREADS = BM * BN / 4;
    __shared__ float a_tile_stage[2][BM][BK];
    __shared__ float b_tile_stage[2][BK][BN];

    const int m0 = blockIdx.y * BM;
    const int n0 = blockIdx.x * BN;
    const int r = threadIdx.x / (BN / 2) * 2;
    const int c = threadIdx.x % (BN / 2) * 2;
    float acc[2][2] = {};

    // pipelinify: ldg, 2 stages, source 3672a0d7
    int k0 = 0, stage = 0;
    if (k0 < K) {
        load_tile<BM, BK, THREADS>(a_tile_stage[0], A, K, m0, k0, M, K);
        load_tile<BK, BN, THREADS>(b_tile_stage[0], B, N, k0, n0, K, N);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < K; k0 += BK) {
            auto a_tile_next =
                load_tile_fetch<BM, BK, THREADS>(a_tile_stage[0], A, K, m0, k0, M, K);
            auto b_tile_next =
                load_tile_fetch<BK, BN, THREADS>(b_tile_stage[0], B, N, k0, n0, K, N);
            multiply<BM, BN, BK>(a_tile_stage[stage], b_tile_stage[stage], acc, r, c);
            stage ^= 1;
            load_tile_store<BM, BK, THREADS>(a_tile_stage[stage], a_tile_next);
            load_tile_store<BK, BN, THREADS>(b_tile_stage[stage], b_tile_next);
            __syncthreads();
        }
        multiply<BM, BN, BK>(a_tile_stage[stage], b_tile_stage[stage], acc, r, c);
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (m0 + r + i < M && n0 + c + j < N)
                C[(m0 + r + i) * N + n0 + c + j] = acc[i][j];
}

} // namespace tiled

extern "C" void gemm_f32(const float *A, const float *B, float *C, int M, int N, int K)
{
    tiled::gemm<32, 32, 8><<<dim3((N + 31) / 32, (M + 31) / 32), 256>>>(A, B, C, M, N, K);
}
