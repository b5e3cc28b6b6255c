// An int8 product whose packed tiles, unpacked tile and column scales lie at constant offsets in one array of bytes.
#include <cuda_runtime.h>
#include <cstdint>

constexpr int BM = 32, BN = 32, BK = 32;
constexpr int kPackedA = 0;
constexpr int kWideB   = kPackedA + BM * BK;
constexpr int kPackedB = kWideB + BK * BN * (int)sizeof(float);
constexpr int kBytes   = kPackedB + BK * BN;

// pipelinify: launch q8_matmul
//   sizes    M=32 N=32 K=0,32,64,96,160
//   sizes    M=40 N=33 K=64
//   target   M=2048 N=2048 K=2048
//   grid     (N + 31) / 32, (M + 31) / 32
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   scale:   in  [(K / 32) * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void __launch_bounds__(256)
q8_matmul(const int8_t *__restrict__ A, const int8_t *__restrict__ B, const float *__restrict__ scale,
          float *__restrict__ C, int M, int N, int K)
{
    __shared__ __align__(16) char raw[kBytes];
    int8_t *as = reinterpret_cast<int8_t *>(raw + kPackedA);
    int8_t *bs = reinterpret_cast<int8_t *>(raw + kPackedB);
    float (*bf)[BN] = reinterpret_cast<float (*)[BN]>(raw + kWideB);

    const int t = threadIdx.x, tr = t / 8, tc = t % 8 * 4;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    float acc[4] = {};
    // pipelinify: ldg-single, 1 stage, source dc4e5658
    int k0 = 0, k0_tile = k0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            for (int e = t; e < BK * BN; e += 256) {
                const int n = n0 + e % BN;
                bf[e / BN][e % BN] = n < N ? bs[e] * scale[(k0_tile / BK) * N + n] : 0.f;
            }
            __syncthreads();
            for (int k = 0; k < BK; ++k)
                for (int j = 0; j < 4; ++j)
                    acc[j] += as[tr * BK + k] * bf[k][tc + j];
        };
        for (int e = t; e < BM * BK; e += 256)
            as[e] = m0 + e / BK < M ? A[(m0 + e / BK) * K + k0 + e % BK] : (int8_t)0;
        for (int e = t; e < BK * BN; e += 256)
            bs[e] = n0 + e % BN < N ? B[(k0 + e / BN) * N + n0 + e % BN] : (int8_t)0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < K; k0 += BK) {
            int8_t as_next[BM * BK / 256];
            int8_t bs_next[BK * BN / 256];
            #pragma unroll
            for (int slot = 0; slot < BM * BK / 256; ++slot) {
                int e = t + slot * 256;
                as_next[slot] = (int8_t)0;
                if (m0 + e / BK < M)
                    as_next[slot] = A[(m0 + e / BK) * K + k0 + e % BK];
            }
            #pragma unroll
            for (int slot = 0; slot < BK * BN / 256; ++slot) {
                int e = t + slot * 256;
                bs_next[slot] = (int8_t)0;
                if (n0 + e % BN < N)
                    bs_next[slot] = B[(k0 + e / BN) * N + n0 + e % BN];
            }
            compute_tile();
            k0_tile += BK;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < BM * BK / 256; ++slot) {
                int e = t + slot * 256;
                as[e] = as_next[slot];
            }
            #pragma unroll
            for (int slot = 0; slot < BK * BN / 256; ++slot) {
                int e = t + slot * 256;
                bs[e] = bs_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j)
        if (m0 + tr < M && n0 + tc + j < N)
            C[(m0 + tr) * N + n0 + tc + j] = acc[j];
}
