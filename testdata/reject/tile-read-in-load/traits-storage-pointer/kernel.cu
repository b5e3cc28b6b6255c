// The class holds a pointer where it seems to hold an array.
#include <cuda_runtime.h>

template <typename T, int BM, int BN, int BK>
struct GemmTraits {
    using Element = T;
    static constexpr int kBlockM = BM, kBlockN = BN, kBlockK = BK;
    static constexpr int kThreads = 64;

    struct SharedStorage {
        Element (*a)[kBlockM + 1];
        Element b[kBlockK][kBlockN];
    };
};

// pipelinify: launch gemm_nn<GemmTraits<float, 16, 16, 8>>
//   sizes    M=16,20 N=16,17 K=0,1,8,19,32
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    64
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
//   beta:    0.5
template <typename Traits>
__global__ __launch_bounds__(Traits::kThreads) void gemm_nn(
    const typename Traits::Element *__restrict__ A, const typename Traits::Element *__restrict__ B,
    typename Traits::Element *__restrict__ C, int M, int N, int K, float beta)
{
    using Element = typename Traits::Element;
    constexpr int BM = Traits::kBlockM, BN = Traits::kBlockN, BK = Traits::kBlockK;
    __shared__ typename Traits::SharedStorage storage;

    __shared__ Element a[BK][BM + 1], other[BK][BM + 1];
    storage.a = blockIdx.x & 1 ? a : other;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    const int ty = threadIdx.x / 8 * 2, tx = threadIdx.x % 8 * 2;
    Element acc[2][2] = {};

    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
        for (int i = threadIdx.x; i < BM * BK; i += Traits::kThreads) {
            const int m = i / BK, k = i % BK;
            storage.a[k][m] = m0 + m < M && k0 + k < K ? A[(m0 + m) * K + k0 + k] : Element(0);
        }
#pragma unroll
        for (int i = threadIdx.x; i < BK * BN; i += Traits::kThreads) {
            const int k = i / BN, n = i % BN;
            storage.b[k][n] = k0 + k < K && n0 + n < N ? B[(k0 + k) * N + n0 + n] : Element(0);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    acc[i][j] += storage.a[k][ty + i] * storage.b[k][tx + j];
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (m0 + ty + i < M && n0 + tx + j < N) {
                Element &c = C[(m0 + ty + i) * N + n0 + tx + j];
                c = acc[i][j] + Element(beta) * c;
            }
}

void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm_nn<GemmTraits<float, 16, 16, 8>><<<grid, 64>>>(A, B, C, M, N, K, 0.5f);
}
