// Strided batched GEMM of a code base that names its barrier itself: sizes come from
// a traits class by a local name, a lambda in the loop multiplies the tiles.
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_pipeline.h>

#define GROUP_SYNC() __syncthreads()

template <typename T, int BM, int BN, int BK, int TM, int TN>
struct Traits {
    static constexpr int kThreads = (BM / TM) * (BN / TN);
    static constexpr int kLoadsA = BM * BK / kThreads;
    static constexpr int kLoadsB = BK * BN / kThreads;
    using value_type = T;
};

// pipelinify: launch gemm_strided_batched<float, 32, 32, 8, 4, 2>
//   sizes    batch=1 M=32 N=32 K=0,1,7,8,9,16,24,32
//   sizes    batch=2 M=33 N=31 K=8,17,40
//   target   batch=4 M=1024 N=1024 K=1024
//   grid     (N + 31) / 32, (M + 31) / 32, batch
//   block    128
//   A:  in [batch * M * K + 1]
//   sa: M * K
//   B:  in [batch * K * N + 1]
//   sb: K * N
//   C:  inout [batch * M * N]
//   sc: M * N
//   M: M
//   N: N
//   K: K
//   alpha: 1.5
//   beta: 0.5
template <typename T, int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
gemm_strided_batched(const T *__restrict__ A, int64_t sa, const T *__restrict__ B, int64_t sb, T *__restrict__ C,
                     int64_t sc, int M, int N, int K, T alpha, T beta)
{
    using Tr = Traits<T, BM, BN, BK, TM, TN>;
    constexpr int stages = 3;
    __shared__ T As_stage[stages][BK][BM + 4];
    __shared__ __align__(16) T Bs_stage[stages][BK][BN];

    const int tid = threadIdx.x;
    const int tx = tid % (BN / TN);
    const int ty = tid / (BN / TN);
    A += blockIdx.z * sa;
    B += blockIdx.z * sb;
    C += blockIdx.z * sc;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;

    T acc[TM][TN] = {};
    // pipelinify: cp.async, 3 stages, source 0a041db9
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == Tr::kThreads && Tr::kThreads % 4 == 0 && sizeof(T) == 4 &&
                        __is_trivially_copyable(T) && BN % 4 == 0 && (size_t)B % 16 == 0 && N % 4 == 0;
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            #pragma unroll
            for (int i = 0; i < Tr::kLoadsA; ++i) {
                const int idx = tid + i * Tr::kThreads;
                const int r = idx / BK, c = idx % BK;
                if (m0 + r < M && k0_load + c < K) {
                    __pipeline_memcpy_async(&As_stage[load_stage][c][r], &A[(int64_t)(m0 + r) * K + k0_load + c],
                                            sizeof(T));
                } else {
                    As_stage[load_stage][c][r] = T(0);
                }
            }
            if (joined) {
                #pragma unroll
                for (int idx = 4 * tid; idx < Tr::kLoadsB * Tr::kThreads; idx += 4 * Tr::kThreads) {
                    const int r = idx / BN, c = idx % BN;
                    if (k0_load + r < K && n0 + c < N) {
                        __pipeline_memcpy_async(&Bs_stage[load_stage][r][c], &B[(int64_t)(k0_load + r) * N + n0 + c],
                                                16);
                    } else {
                        for (int each = 0; each < 4; ++each) {
                            (&Bs_stage[load_stage][r][c])[each] = T(0);
                        }
                    }
                }
            } else {
                #pragma unroll
                for (int i = 0; i < Tr::kLoadsB; ++i) {
                    const int idx = tid + i * Tr::kThreads;
                    const int r = idx / BN, c = idx % BN;
                    if (k0_load + r < K && n0 + c < N) {
                        __pipeline_memcpy_async(&Bs_stage[load_stage][r][c], &B[(int64_t)(k0_load + r) * N + n0 + c],
                                                sizeof(T));
                    } else {
                        Bs_stage[load_stage][r][c] = T(0);
                    }
                }
            }
            k0_load += BK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += BK) {
        __pipeline_wait_prior(stages - 2);
        GROUP_SYNC();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &As = As_stage[stage];
        auto &Bs = Bs_stage[stage];
        auto multiply = [&](int k) {
            T a[TM], b[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                a[i] = As[k][ty * TM + i];
            #pragma unroll
            for (int j = 0; j < TN; ++j)
                b[j] = Bs[k][tx * TN + j];
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                #pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        };
        #pragma unroll
        for (int k = 0; k < BK; ++k)
            multiply(k);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int m = m0 + ty * TM + i, n = n0 + tx * TN + j;
            if (m < M && n < N) {
                T &c = C[(int64_t)m * N + n];
                c = alpha * acc[i][j] + (beta != T(0) ? beta * c : T(0));
            }
        }
}
template __global__ void gemm_strided_batched<float, 32, 32, 8, 4, 2>(const float *, int64_t, const float *, int64_t,
                                                                      float *, int64_t, int, int, int, float, float);
