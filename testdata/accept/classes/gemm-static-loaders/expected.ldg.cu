// GEMM whose tiles are filled by static members of a policy, the way that libraries of tile loaders are written.
#include <cuda_runtime.h>

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

    static __device__ __forceinline__ auto load_fetch(const float *src, int ld, int rows, int cols)
    {
        struct {
            float tile_next[(kElements + THREADS - 1) / THREADS];
        } next;
        #pragma unroll
        for (int slot = 0; slot < (kElements + THREADS - 1) / THREADS; ++slot) {
            int i = threadIdx.x + slot * THREADS;
            if (i < kElements) {
                const int r = i / COLS;
                const int c = i % COLS;
                next.tile_next[slot] = r < rows && c < cols ? src[r * ld + c] : 0.0f;
            }
        }
        return next;
    }

    template <typename Registers>
    static __device__ __forceinline__ void load_store(float (&tile)[ROWS][COLS], const Registers &next)
    {
        #pragma unroll
        for (int slot = 0; slot < (kElements + THREADS - 1) / THREADS; ++slot) {
            int i = threadIdx.x + slot * THREADS;
            if (i < kElements) {
                const int r = i / COLS;
                const int c = i % COLS;
                tile[r][c] = next.tile_next[slot];
            }
        }
    }
};

struct VectorLoader {
    __device__ static void load(float *tile, const float *src, int n)
    {
        for (int i = threadIdx.x; i < 16; i += blockDim.x)
            tile[i] = i < n ? src[i] : 0.0f;
    }

    __device__ static auto load_fetch(const float *src, int n)
    {
        struct {
            float tile_next[1];
        } next;
        #pragma unroll
        for (int slot = 0; slot < 1; ++slot) {
            int i = threadIdx.x + slot * blockDim.x;
            if (i < 16)
                next.tile_next[slot] = i < n ? src[i] : 0.0f;
        }
        return next;
    }

    template <typename Registers>
    __device__ static void load_store(float *tile, const float *src, int n, const Registers &next)
    {
        #pragma unroll
        for (int slot = 0; slot < 1; ++slot) {
            int i = threadIdx.x + slot * blockDim.x;
            if (i < 16)
                tile[i] = next.tile_next[slot];
        }
        // What has not been fetched ahead.
        for (int i = threadIdx.x + blockDim.x; i < 16; i += blockDim.x)
            tile[i] = i < n ? src[i] : 0.0f;
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
    __shared__ float a_tile_stage[2][32][16];
    __shared__ float b_tile_stage[2][16][32];
    __shared__ float weights_stage[2][16];
    const int m0 = blockIdx.y * 32, n0 = blockIdx.x * 32;
    const int r = threadIdx.x / 32, c = threadIdx.x % 32;
    float acc[4] = {};

    // pipelinify: ldg, 2 stages, source 0988695d
    int k0 = 0, stage = 0;
    if (k0 < K) {
        RowMajorLoader<32, 16, 256>::load(a_tile_stage[0], A + m0 * K + k0, K, M - m0, K - k0);
        RowMajorLoader<16, 32, 256>::load(b_tile_stage[0], B + k0 * N + n0, N, K - k0, N - n0);
        VectorLoader::load(weights_stage[0], scale + k0, K - k0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < K; k0 += 16) {
            auto a_tile_next = RowMajorLoader<32, 16, 256>::load_fetch(A + m0 * K + k0, K, M - m0, K - k0);
            auto b_tile_next = RowMajorLoader<16, 32, 256>::load_fetch(B + k0 * N + n0, N, K - k0, N - n0);
            auto weights_next = VectorLoader::load_fetch(scale + k0, K - k0);
            for (int k = 0; k < 16; ++k)
                for (int i = 0; i < 4; ++i)
                    acc[i] += a_tile_stage[stage][r + 8 * i][k] * weights_stage[stage][k] * b_tile_stage[stage][k][c];
            stage ^= 1;
            RowMajorLoader<32, 16, 256>::load_store(a_tile_stage[stage], a_tile_next);
            RowMajorLoader<16, 32, 256>::load_store(b_tile_stage[stage], b_tile_next);
            VectorLoader::load_store(weights_stage[stage], scale + k0, K - k0, weights_next);
            __syncthreads();
        }
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += a_tile_stage[stage][r + 8 * i][k] * weights_stage[stage][k] * b_tile_stage[stage][k][c];
    }
    for (int i = 0; i < 4; ++i)
        if (m0 + r + 8 * i < M && n0 + c < N)
            C[(m0 + r + 8 * i) * N + n0 + c] = acc[i];
}
