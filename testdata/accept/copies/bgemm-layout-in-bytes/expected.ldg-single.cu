#include <cuda_bf16.h>
#include <cstddef>
#include <cstdint>
// bf16 GEMM with the shared memory layout computed once on both sides
using bf16 = __nv_bfloat16;

struct Layout {
    int bm, bn, bk;
    __host__ __device__ constexpr std::size_t a_bytes() const { return std::size_t(bm) * (bk + 8) * sizeof(bf16); }
    __host__ __device__ constexpr std::size_t b_offset() const { return (a_bytes() + 127) / 128 * 128; }
    __host__ __device__ constexpr std::size_t bytes() const { return b_offset() + std::size_t(bk) * (bn + 8) * sizeof(bf16); }
};

inline constexpr Layout layout{64, 64, 32};

// pipelinify: launch bgemm
//   sizes  M=64 N=64 K=0,32,64,160
//   target M=2048 N=2048 K=2048
//   grid   N / 64, M / 64
//   block  16, 16
//   smem   9856
//   A: in [M * K]
//   B: in [K * N]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void __launch_bounds__(256) bgemm(const bf16 *__restrict__ A, const bf16 *__restrict__ B, bf16 *__restrict__ C, int M, int N, int K)
{
    extern __shared__ std::byte raw[];
    bf16 *const as = reinterpret_cast<bf16 *>(raw);
    bf16 *const bs = reinterpret_cast<bf16 *>(raw + layout.b_offset());
    constexpr int lda = layout.bk + 8, ldb = layout.bn + 8;

    const int tid = threadIdx.y * 16 + threadIdx.x;
    float acc[4][4] = {};
    // pipelinify: ldg-single, 1 stage, source d6eb5778
    int kt = 0;
    if (kt < K / layout.bk) {
        {   // A: 64 x 32, one 16-byte piece a thread
            const int r = tid / 4, c = tid % 4 * 8;
            *(uint4 *)(as + r * lda + c) = *(const uint4 *)(A + (std::size_t)(blockIdx.y * 64 + r) * K + kt * 32 + c);
        }
        {   // B: 32 x 64
            const int r = tid / 8, c = tid % 8 * 8;
            *(uint4 *)(bs + r * ldb + c) = *(const uint4 *)(B + (std::size_t)(kt * 32 + r) * N + blockIdx.x * 64 + c);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++kt; kt < K / layout.bk; ++kt) {
            uint4 as_next;
            uint4 bs_next;
            {
                // A: 64 x 32, one 16-byte piece a thread
                const int r = tid / 4, c = tid % 4 * 8;
                as_next = *(const uint4 *)(A + (std::size_t)(blockIdx.y * 64 + r) * K + kt * 32 + c);
            }
            {
                // B: 32 x 64
                const int r = tid / 8, c = tid % 8 * 8;
                bs_next = *(const uint4 *)(B + (std::size_t)(kt * 32 + r) * N + blockIdx.x * 64 + c);
            }
            for (int k = 0; k < layout.bk; ++k)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j)
                        acc[i][j] += __bfloat162float(as[(threadIdx.y * 4 + i) * lda + k]) * __bfloat162float(bs[k * ldb + threadIdx.x + 16 * j]);
            __syncthreads();
            {
                const int r = tid / 4, c = tid % 4 * 8;
                *(uint4 *)(as + r * lda + c) = as_next;
            }
            {
                const int r = tid / 8, c = tid % 8 * 8;
                *(uint4 *)(bs + r * ldb + c) = bs_next;
            }
            __syncthreads();
        }
        for (int k = 0; k < layout.bk; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += __bfloat162float(as[(threadIdx.y * 4 + i) * lda + k]) * __bfloat162float(bs[k * ldb + threadIdx.x + 16 * j]);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(std::size_t)(blockIdx.y * 64 + threadIdx.y * 4 + i) * N + blockIdx.x * 64 + threadIdx.x + 16 * j] = __float2bfloat16(acc[i][j]);
}

void launch(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    bgemm<<<dim3(N / 64, M / 64), dim3(16, 16), layout.bytes()>>>(A, B, C, M, N, K);
}
