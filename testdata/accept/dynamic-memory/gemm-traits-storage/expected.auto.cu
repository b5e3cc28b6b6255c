// A product in the way of libraries: one class says the shapes, the types and what
// shared memory holds.
#include <cuda_runtime.h>

template <typename T, int BM, int BN, int BK>
struct GemmTraits {
    using Element = T;
    static constexpr int kBlockM = BM, kBlockN = BN, kBlockK = BK;
    static constexpr int kThreads = 64;

    struct SharedStorage {
        Element a[kBlockK][kBlockM + 1];
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
    __shared__ typename Traits::SharedStorage storage_stage[2];

    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    const int ty = threadIdx.x / 8 * 2, tx = threadIdx.x % 8 * 2;
    Element acc[2][2] = {};

    // pipelinify: ldg, 2 stages, source d710d769
    static_assert(__is_trivially_copyable(typename Traits::SharedStorage) &&
        !__is_same(typename Traits::SharedStorage, volatile typename Traits::SharedStorage),
        "typename Traits::SharedStorage must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename Traits::Element) &&
                  !__is_same(typename Traits::Element, volatile typename Traits::Element),
                  "typename Traits::Element must be plain data and not volatile");
    int k0 = 0, stage = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int k = 0; k < BK; ++k)
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j)
                        acc[i][j] += storage_stage[stage].a[k][ty + i] *
                                     storage_stage[stage].b[k][tx + j];
        };
#pragma unroll
        for (int i = threadIdx.x; i < BM * BK; i += Traits::kThreads) {
            const int m = i / BK, k = i % BK;
            storage_stage[0].a[k][m] = m0 + m < M &&
                                       k0 + k < K ? A[(m0 + m) * K + k0 + k] : Element(0);
        }
#pragma unroll
        for (int i = threadIdx.x; i < BK * BN; i += Traits::kThreads) {
            const int k = i / BN, n = i % BN;
            storage_stage[0].b[k][n] = k0 + k < K &&
                                       n0 + n < N ? B[(k0 + k) * N + n0 + n] : Element(0);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < K; k0 += BK) {
            typename Traits::Element a_next[(BM * BK + Traits::kThreads - 1) / Traits::kThreads];
            typename Traits::Element b_next[(BK * BN + Traits::kThreads - 1) / Traits::kThreads];
#pragma unroll
            for (int slot = 0; slot < (BM * BK + Traits::kThreads - 1) / Traits::kThreads; ++slot) {
                int i = threadIdx.x + slot * Traits::kThreads;
                if (i < BM * BK) {
                    const int m = i / BK, k = i % BK;
                    a_next[slot] = m0 + m < M && k0 + k < K ? A[(m0 + m) * K + k0 + k] : Element(0);
                }
            }
#pragma unroll
            for (int slot = 0; slot < (BK * BN + Traits::kThreads - 1) / Traits::kThreads; ++slot) {
                int i = threadIdx.x + slot * Traits::kThreads;
                if (i < BK * BN) {
                    const int k = i / BN, n = i % BN;
                    b_next[slot] = k0 + k < K && n0 + n < N ? B[(k0 + k) * N + n0 + n] : Element(0);
                }
            }
            compute_tile();
            stage ^= 1;
#pragma unroll
            for (int slot = 0; slot < (BM * BK + Traits::kThreads - 1) / Traits::kThreads; ++slot) {
                int i = threadIdx.x + slot * Traits::kThreads;
                if (i < BM * BK) {
                    const int m = i / BK, k = i % BK;
                    storage_stage[stage].a[k][m] = a_next[slot];
                }
            }
#pragma unroll
            for (int slot = 0; slot < (BK * BN + Traits::kThreads - 1) / Traits::kThreads; ++slot) {
                int i = threadIdx.x + slot * Traits::kThreads;
                if (i < BK * BN) {
                    const int k = i / BN, n = i % BN;
                    storage_stage[stage].b[k][n] = b_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (m0 + ty + i < M && n0 + tx + j < N) {
                Element &c = C[(m0 + ty + i) * N + n0 + tx + j];
                c = acc[i][j] + Element(beta) * c;
            }
}

// The bias lies beside the tile and is there before the first one.
template <typename T, int ROWS>
struct RowTraits {
    using Element = T;
    static constexpr int kRows = ROWS;

    struct SharedStorage {
        Element rows[kRows];
        Element bias[kRows];
    };
};

// pipelinify: launch biased_rows<RowTraits<double, 32>>
//   sizes    n=0,1,32,50,96
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n]
//   bias:    in  [32]
//   out:     out [64]
//   n:       n
template <typename Traits>
__global__ void biased_rows(const typename Traits::Element *__restrict__ x,
                            const typename Traits::Element *__restrict__ bias,
                            typename Traits::Element *__restrict__ out, int n)
{
    constexpr int kRows = Traits::kRows;
    __shared__ typename Traits::SharedStorage storage;
    storage.bias[threadIdx.x] = bias[threadIdx.x];
    typename Traits::Element sum = 0;
    // pipelinify: ldg-single, 1 stage, source d6faec1e
    static_assert(__is_trivially_copyable(typename Traits::SharedStorage) &&
        !__is_same(typename Traits::SharedStorage, volatile typename Traits::SharedStorage),
        "typename Traits::SharedStorage must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename Traits::Element) &&
                  !__is_same(typename Traits::Element, volatile typename Traits::Element),
                  "typename Traits::Element must be plain data and not volatile");
    int first = 0;
    if (first < n) {
        {
            const int at = first + threadIdx.x;
            storage.rows[threadIdx.x] = at < n ? x[blockIdx.x * n + at] : 0;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += kRows; first < n; first += kRows) {
            const int at = first + threadIdx.x;
            typename Traits::Element rows_next = at < n ? x[blockIdx.x * n + at] : 0;
            for (int i = 0; i < kRows; ++i)
                sum += storage.rows[i] * storage.bias[(i + threadIdx.x) % kRows];
            __syncthreads();
            storage.rows[threadIdx.x] = rows_next;
            __syncthreads();
        }
        for (int i = 0; i < kRows; ++i)
            sum += storage.rows[i] * storage.bias[(i + threadIdx.x) % kRows];
    }
    out[blockIdx.x * kRows + threadIdx.x] = sum;
}

void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm_nn<GemmTraits<float, 16, 16, 8>><<<grid, 64>>>(A, B, C, M, N, K, 0.5f);
}

void rows(const double *x, const double *bias, double *out, int n)
{
    biased_rows<RowTraits<double, 32>><<<2, 32>>>(x, bias, out, n);
}
