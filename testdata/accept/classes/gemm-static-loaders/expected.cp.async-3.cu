// GEMM whose tiles are filled by static members of a policy, the way that libraries of tile loaders are written.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <int ROWS, int COLS, int THREADS>
struct RowMajorLoader {
    static constexpr int kElements = ROWS * COLS;

    /// Fills the tile with zeros beyond the matrix.
    static __device__ __forceinline__ void load(float (&tile)[ROWS][COLS], const float *src, int ld, int rows, int cols)
    {
        #pragma unroll
        for (int i = threadIdx.x; i < kElements; i += THREADS) {
            const int r = i / COLS;
            const int c = i % COLS;
            tile[r][c] = r < rows && c < cols ? src[r * ld + c] : 0.0f;
        }
    }

    static __device__ __forceinline__ void load_async(float (&tile)[ROWS][COLS], const float *src, int ld, int rows,
                                                      int cols)
    {
        #pragma unroll
        for (int i = threadIdx.x; i < kElements; i += THREADS) {
            const int r = i / COLS;
            const int c = i % COLS;
            __pipeline_memcpy_async(&tile[r][c], &src[r * ld + c], sizeof(float),
                                    (r < rows && c < cols) ? 0 : sizeof(float));
        }
    }
};

struct VectorLoader {
    __device__ static void load(float *tile, const float *src, int n)
    {
        for (int i = threadIdx.x; i < 16; i += blockDim.x)
            tile[i] = i < n ? src[i] : 0.0f;
    }

    __device__ static void load_async(float *tile, const float *src, int n)
    {
        for (int i = threadIdx.x; i < 16; i += blockDim.x)
            __pipeline_memcpy_async(&tile[i], &src[i], sizeof(float), (i < n) ? 0 : sizeof(float));
    }
};

// pipelinify: launch policy_gemm
//   sizes    M=32 N=32 K=0,1,15,16,17,32,48,64,80
//   sizes    M=31 N=65 K=20
//   target   M=1024 N=1024 K=1024
//   requires M > 0 && N > 0
//   grid     (N + 31) / 32, (M + 31) / 32
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   scale:   in  [K]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void policy_gemm(const float *A, const float *B, const float *scale, float *__restrict__ C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float a_tile_stage[stages][32][16];
    __shared__ float b_tile_stage[stages][16][32];
    __shared__ float weights_stage[stages][16];
    const int m0 = blockIdx.y * 32, n0 = blockIdx.x * 32;
    const int r = threadIdx.x / 32, c = threadIdx.x % 32;
    float acc[4] = {};

    // pipelinify: cp.async, 3 stages, source 0988695d
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            auto &k0 = k0_load;
            RowMajorLoader<32, 16, 256>::load_async(a_tile_stage[load_stage], A + m0 * K + k0, K, M - m0, K - k0);
            RowMajorLoader<16, 32, 256>::load_async(b_tile_stage[load_stage], B + k0 * N + n0, N, K - k0, N - n0);
            VectorLoader::load_async(weights_stage[load_stage], scale + k0, K - k0);
            k0 += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += 16) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += a_tile_stage[stage][r + 8 * i][k] * weights_stage[stage][k] * b_tile_stage[stage][k][c];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i)
        if (m0 + r + 8 * i < M && n0 + c < N)
            C[(m0 + r + 8 * i) * N + n0 + c] = acc[i];
}
