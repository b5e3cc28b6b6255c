// GEMM made of small device functions: one fills a tile, one multiplies two tiles.
#include <cuda_runtime.h>
#include <cuda/pipeline>

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
__device__ __forceinline__ void load_tile_async(float (&tile)[ROWS][COLS], const float *src, int ld,
                                          int row0, int col0, int rows, int cols, cuda::pipeline<cuda::thread_scope_thread> &pipe)
{
    #pragma unroll
    for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) {
        int r = i / COLS;
        int c = i % COLS;
        if (row0 + r < rows && col0 + c < cols)
            cuda::memcpy_async(&tile[r][c], &src[(row0 + r) * ld + col0 + c],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
        else
            tile[r][c] = 0.0f;
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
    constexpr int stages = 4;
    __shared__ float a_tile_stage[stages][BM][BK];
    __shared__ float b_tile_stage[stages][BK][BN];

    const int m0 = blockIdx.y * BM;
    const int n0 = blockIdx.x * BN;
    const int r = threadIdx.x / (BN / 2) * 2;
    const int c = threadIdx.x % (BN / 2) * 2;
    float acc[2][2] = {};

    // pipelinify: pipeline, 4 stages, source 3672a0d7
    auto pipe = cuda::make_pipeline();
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        pipe.producer_acquire();
        if (k0_load < K) {
            load_tile_async<BM, BK, THREADS>(a_tile_stage[load_stage], A, K, m0, k0_load, M, K,
                                             pipe);
            load_tile_async<BK, BN, THREADS>(b_tile_stage[load_stage], B, N, k0_load, n0, K, N,
                                             pipe);
            k0_load += BK;
        }
        pipe.producer_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += BK) {
        cuda::pipeline_consumer_wait_prior<stages - 2>(pipe);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        multiply<BM, BN, BK>(a_tile_stage[stage], b_tile_stage[stage], acc, r, c);
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
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
