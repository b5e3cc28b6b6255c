// Run-time tile shape: tiles in dynamic shared memory, copied by strided loops, the tail bounded by min(bk, K - k0).
#include <cuda_runtime.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

typedef float real_t;

// pipelinify: launch gemm_rt
//   sizes    M=16 N=16 K=0,1,7,8,9,16,24,32,45 bm=16 bn=16 bk=8
//   sizes    M=20 N=24 K=30 bm=8 bn=12 bk=10
//   target   M=2048 N=2048 K=2048 bm=32 bn=32 bk=16
//   requires M > 0 && N > 0
//   grid     (N + bn - 1) / bn, (M + bm - 1) / bm
//   block    64
//   smem     4 * (bm * bk + bk * bn)
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
//   bm:      bm
//   bn:      bn
//   bk:      bk
extern "C" __global__ void __launch_bounds__(64)
gemm_rt(const real_t * __restrict__ A, const real_t * __restrict__ B, real_t * __restrict__ C,
        const int M, const int N, const int K, const int bm, const int bn, const int bk)
{
    extern __shared__ real_t pool[];
    real_t * const As = pool;
    real_t * const Bs = pool + bm * bk;

    const int m0 = blockIdx.y * bm;
    const int n0 = blockIdx.x * bn;
    const int mm = MIN(bm, M - m0);
    const int nn = MIN(bn, N - n0);

    real_t sums[16];      /* up to 32 x 32 outputs shared by 64 threads */
    for (int i = 0; i < 16; i++)
        sums[i] = 0;

    // pipelinify: ldg-single, 1 stage, source 108fa1a8
    int k0 = 0, k0_tile = k0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            auto &k0 = k0_tile;
            const int kk = MIN(bk, K - k0);

            int o = 0;
            for (int e = threadIdx.x; e < bm * bn; e += blockDim.x, o++) {
                const int r = e / bn, c = e % bn;
                if (r < mm && c < nn)
                    for (int k = 0; k < kk; k++)
                        sums[o] += As[r * bk + k] * Bs[k * bn + c];
            }
        };
        {
            const int kk = MIN(bk, K - k0);

            for (int i = threadIdx.x; i < mm * bk; i += blockDim.x)
                if (i % bk < kk)
                    As[i] = A[(m0 + i / bk) * K + k0 + i % bk];
            for (int i = threadIdx.x; i < bk * bn; i += blockDim.x)
                if (i / bn < kk && i % bn < nn)
                    Bs[i] = B[(k0 + i / bn) * N + n0 + i % bn];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += bk; k0 < K; k0 += bk) {
            real_t As_next[8];
            real_t Bs_next[8];
            const int kk = MIN(bk, K - k0);

            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < mm * bk) {
                    if (i % bk < kk)
                        As_next[slot] = A[(m0 + i / bk) * K + k0 + i % bk];
                }
            }
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < bk * bn) {
                    if (i / bn < kk && i % bn < nn)
                        Bs_next[slot] = B[(k0 + i / bn) * N + n0 + i % bn];
                }
            }
            compute_tile();
            k0_tile += bk;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < mm * bk) {
                    if (i % bk < kk)
                        As[i] = As_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 8 * blockDim.x; i < mm * bk; i += blockDim.x)
                if (i % bk < kk)
                    As[i] = A[(m0 + i / bk) * K + k0 + i % bk];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < bk * bn) {
                    if (i / bn < kk && i % bn < nn)
                        Bs[i] = Bs_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 8 * blockDim.x; i < bk * bn; i += blockDim.x)
                if (i / bn < kk && i % bn < nn)
                    Bs[i] = B[(k0 + i / bn) * N + n0 + i % bn];
            __syncthreads();
        }
        compute_tile();
    }

    int o = 0;
    for (int e = threadIdx.x; e < bm * bn; e += blockDim.x, o++)
        if (e / bn < mm && e % bn < nn)
            C[(m0 + e / bn) * N + n0 + e % bn] += sums[o];
}
