// GEMM template whose tiles are filled by members of class templates that hang on its own parameters.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

/// Fills a tile from a row-major matrix, THREADS elements at a time.
template <typename Element, int ROWS, int COLS, int THREADS>
struct TileLoader {
    static __device__ __forceinline__ void load(Element (&tile)[ROWS][COLS], const Element *src, int ld,
                                                int rows, int cols)
    {
        for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) {
            const int r = i / COLS, c = i % COLS;
            tile[r][c] = r < rows && c < cols ? src[r * ld + c] : Element(0);
        }
    }

    static __device__ __forceinline__ void load_async(Element (&tile)[ROWS][COLS], const Element *src, int ld,
                                                int rows, int cols)
    {
        static_assert(__is_trivially_copyable(Element) &&
                      (sizeof(Element) == 4 || sizeof(Element) == 8 || sizeof(Element) == 16) &&
                      alignof(Element) == sizeof(Element), "asynchronous copies move 4, 8 or 16 aligned bytes");
        for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) {
            const int r = i / COLS, c = i % COLS;
            if (r < rows && c < cols) {
                __pipeline_memcpy_async(&tile[r][c], &src[r * ld + c], sizeof(Element));
            } else {
                tile[r][c] = Element(0);
            }
        }
    }
};

/// What a block needs of shared memory.
template <typename Element, int BM, int BN, int BK>
struct Tiles {
    Element a[BM][BK];
    Element b[BK][BN];
};

// pipelinify: launch gemm<float, 16, 32, 8>
//   sizes    M=16 N=32 K=0,1,7,8,9,16,24,32,45
//   sizes    M=31 N=65 K=20
//   target   M=1024 N=2048 K=1024
//   requires M > 0 && N > 0
//   grid     (N + 31) / 32, (M + 15) / 16
//   block    512
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
// pipelinify: launch gemm<int, 16, 16, 16>
//   sizes    M=16 N=16 K=0,1,16,17,32,48,64
//   sizes    M=17 N=33 K=31
//   target   M=1024 N=1024 K=1024
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    256
//   A:       in  [M * K] range(-9, 9)
//   B:       in  [K * N] range(-9, 9)
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
template <typename Element, int BM, int BN, int BK>
__global__ void gemm(const Element *A, const Element *B, Element *__restrict__ C, int M, int N, int K)
{
    constexpr int THREADS = BM * BN;
    using LoaderA = TileLoader<Element, BM, BK, THREADS>;
    __shared__ Tiles<Element, BM, BN, BK> tiles_stage[2];

    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    const int r = threadIdx.x / BN, c = threadIdx.x % BN;
    Element acc = 0;
    // pipelinify: cp.async, 2 stages, source 14164012
    static_assert(__is_trivially_copyable(Element) && !__is_same(Element, volatile Element),
                  "Element must be plain data and not volatile");
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            LoaderA::load_async(tiles_stage[load_stage].a, A + m0 * K + k0_load, K, M - m0, K - k0_load);
            TileLoader<Element, BK, BN, THREADS>::load_async(tiles_stage[load_stage].b, B + k0_load * N + n0, N,
                                                             K - k0_load, N - n0);
            k0_load += BK;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += BK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < BK; ++k)
            acc += tiles_stage[stage].a[r][k] * tiles_stage[stage].b[k][c];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (m0 + r < M && n0 + c < N)
        C[(m0 + r) * N + n0 + c] = acc;
}

void gemms(const float *A, const float *B, float *C, const int *Ai, const int *Bi, int *Ci, int M, int N, int K)
{
    gemm<float, 16, 32, 8><<<dim3((N + 31) / 32, (M + 15) / 16), 512>>>(A, B, C, M, N, K);
    gemm<int, 16, 16, 16><<<dim3((N + 15) / 16, (M + 15) / 16), 256>>>(Ai, Bi, Ci, M, N, K);
}
