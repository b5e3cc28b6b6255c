// int8 GEMM: the tile's shape is a policy, what is done to each sum a functor.
#include <cuda_runtime.h>
#include <cstdint>

namespace linalg {

template <int VecLen_, int Kblk_, int AccRowsPerTh_, int AccColsPerTh_, int AccThRows_, int AccThCols_>
struct KernelPolicy {
    enum {
        Kblk = Kblk_,
        VecLen = VecLen_,
        AccRowsPerTh = AccRowsPerTh_,
        AccColsPerTh = AccColsPerTh_,
        AccThRows = AccThRows_,
        AccThCols = AccThCols_,
        Mblk = AccRowsPerTh * AccThRows,
        Nblk = AccColsPerTh * AccThCols,
        Nthreads = AccThRows * AccThCols,
        LdgThRow = Kblk / VecLen,
        LdgRowsX = Nthreads / LdgThRow,
        LdgPerThX = Mblk / LdgRowsX,
        LdgPerThY = Nblk / LdgRowsX,
        SmemStride = Kblk / 4 + 1,
    };
};

template <typename Policy, typename EpilogueOp>
__global__ void __launch_bounds__(Policy::Nthreads)
igemmKernel(const int8_t* __restrict__ x, const int8_t* __restrict__ y, int32_t* __restrict__ z,
            int m, int n, int k, int32_t floor)
{
    typedef Policy P;
    __shared__ int32_t sx_stage[2][P::Mblk * P::SmemStride];
    __shared__ int32_t sy_stage[2][P::Nblk * P::SmemStride];

    const int srowid = threadIdx.x / P::LdgThRow;
    const int scolid = threadIdx.x % P::LdgThRow;
    const int accrowid = threadIdx.x / P::AccThCols;
    const int acccolid = threadIdx.x % P::AccThCols;
    const int row0 = blockIdx.y * P::Mblk;
    const int col0 = blockIdx.x * P::Nblk;

    int32_t acc[P::AccRowsPerTh][P::AccColsPerTh];
#pragma unroll
    for (int i = 0; i < P::AccRowsPerTh; ++i)
#pragma unroll
        for (int j = 0; j < P::AccColsPerTh; ++j) acc[i][j] = 0;

    auto ldg = [=](const int8_t* base, int row, int rows, int kidx) -> int32_t {
        const int c = kidx + scolid * P::VecLen;
        return row < rows && c < k ? *reinterpret_cast<const int32_t*>(base + row * k + c) : 0;
    };

    // pipelinify: ldg, 2 stages, source a0de495d
    {
        static_assert(__is_same(Policy, linalg::KernelPolicy<4, 32, 2, 2, 8, 8>),
                      "pipelined for this Policy alone: run pipelinify again for another");
        int kidx = 0, stage = 0;
        if (kidx < k) {
            auto compute_tile = [&]() {
#pragma unroll
                for (int ki = 0; ki < P::Kblk / 4; ++ki) {
#pragma unroll
                    for (int i = 0; i < P::AccRowsPerTh; ++i)
#pragma unroll
                        for (int j = 0; j < P::AccColsPerTh; ++j)
                            acc[i][j] = __dp4a(sx_stage[stage][(accrowid + i * P::AccThRows) * P::SmemStride + ki],
                                               sy_stage[stage][(acccolid + j * P::AccThCols) * P::SmemStride +
                                                               ki], acc[i][j]);
                }
            };
#pragma unroll
            for (int i = 0; i < P::LdgPerThX; ++i) {
                const int r = srowid + i * P::LdgRowsX;
                sx_stage[0][r * P::SmemStride + scolid] = ldg(x, row0 + r, m, kidx);
            }
#pragma unroll
            for (int i = 0; i < P::LdgPerThY; ++i) {
                const int r = srowid + i * P::LdgRowsX;
                sy_stage[0][r * P::SmemStride + scolid] = ldg(y, col0 + r, n, kidx);
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (kidx += P::Kblk; kidx < k; kidx += P::Kblk) {
                int32_t sx_next[P::LdgPerThX];
                int32_t sy_next[P::LdgPerThY];
#pragma unroll
                for (int i = 0; i < P::LdgPerThX; ++i) {
                    const int r = srowid + i * P::LdgRowsX;
                    sx_next[i] = ldg(x, row0 + r, m, kidx);
                }
#pragma unroll
                for (int i = 0; i < P::LdgPerThY; ++i) {
                    const int r = srowid + i * P::LdgRowsX;
                    sy_next[i] = ldg(y, col0 + r, n, kidx);
                }
                compute_tile();
                stage ^= 1;
#pragma unroll
                for (int i = 0; i < P::LdgPerThX; ++i) {
                    const int r = srowid + i * P::LdgRowsX;
                    sx_stage[stage][r * P::SmemStride + scolid] = sx_next[i];
                }
#pragma unroll
                for (int i = 0; i < P::LdgPerThY; ++i) {
                    const int r = srowid + i * P::LdgRowsX;
                    sy_stage[stage][r * P::SmemStride + scolid] = sy_next[i];
                }
                __syncthreads();
            }
            compute_tile();
        }
    }

#pragma unroll
    for (int i = 0; i < P::AccRowsPerTh; ++i) {
        const int r = row0 + accrowid + i * P::AccThRows;
#pragma unroll
        for (int j = 0; j < P::AccColsPerTh; ++j) {
            const int c = col0 + acccolid + j * P::AccThCols;
            if (r < m && c < n) z[r * n + c] = EpilogueOp{floor}(acc[i][j]);
        }
    }
}

struct ReluOp {
    int32_t floor;
    __device__ int32_t operator()(int32_t v) const { return v > floor ? v : floor; }
};

}  // namespace linalg

// pipelinify: launch linalg::igemmKernel<linalg::KernelPolicy<4, 32, 2, 2, 8, 8>, linalg::ReluOp>
//   sizes  m=16,19 n=16,21 k=0,4,32,36,96
//   target m=1024 n=1024 k=2048
//   grid   (n + 15) / 16, (m + 15) / 16
//   block  64
//   x:     in [m * k + 4]
//   y:     in [n * k + 4]
//   z:     inout [m * n]
//   m:     m
//   n:     n
//   k:     k
//   floor: 0
using Policy4 = linalg::KernelPolicy<4, 32, 2, 2, 8, 8>;

void igemm(const int8_t* x, const int8_t* y, int32_t* z, int m, int n, int k, cudaStream_t stream)
{
    dim3 grid((n + Policy4::Nblk - 1) / Policy4::Nblk, (m + Policy4::Mblk - 1) / Policy4::Mblk);
    linalg::igemmKernel<Policy4, linalg::ReluOp><<<grid, Policy4::Nthreads, 0, stream>>>(x, y, z, m, n, k, 0);
}
