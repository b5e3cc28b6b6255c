// Matrix product of fp8 values kept as bytes: decoded by hand from the tiles in the compute part.
#include <cuda_runtime.h>
#include <stdint.h>
__device__ __forceinline__ float e4m3(uint8_t b)
{
    int e = (b >> 3) & 15, m = b & 7;
    float v = e ? ldexpf(1.f + m * .125f, e - 7) : ldexpf(m * .125f, -6);
    return b & 0x80 ? -v : v;
}
#define T 16
// pipelinify: launch gemm_fp8
//   sizes M=16,20 N=16 K=0,4,16,20,32,48,64
//   target M=1024 N=1024 K=1024
//   grid (N + 15) / 16, (M + 15) / 16
//   block 16, 16
//   A: in [M * K + 4]
//   B: in [N * K + 4]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void gemm_fp8(const uint8_t *__restrict__ A, const uint8_t *__restrict__ B, float *__restrict__ C, const int M, const int N, const int K)
{
    __shared__ uint8_t As_stage[2][T][T + 4], Bs_stage[2][T][T + 4];
    const int m = blockIdx.y * T + threadIdx.y, n = blockIdx.x * T + threadIdx.x, nl = blockIdx.x * T + threadIdx.y;
    float acc = 0;
    // pipelinify: ldg, 2 stages, source 81ad2513
    int k0 = 0, stage = 0;
    if (k0 < K)
    {
        {
            const int k = k0 + threadIdx.x;
            As_stage[0][threadIdx.y][threadIdx.x] = m < M && k < K ? A[m * K + k] : uint8_t(0);
            Bs_stage[0][threadIdx.y][threadIdx.x] = nl < N && k < K ? B[nl * K + k] : uint8_t(0);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < K; k0 += T)
        {
            const int k = k0 + threadIdx.x;
            uint8_t As_next = uint8_t(0);
            if (m < M && k < K)
                As_next = A[m * K + k];
            uint8_t Bs_next = uint8_t(0);
            if (nl < N && k < K)
                Bs_next = B[nl * K + k];
            for (int kk = 0; kk < T; ++kk) acc = fmaf(e4m3(As_stage[stage][threadIdx.y][kk]), e4m3(Bs_stage[stage][threadIdx.x][kk]), acc);
            stage ^= 1;
            As_stage[stage][threadIdx.y][threadIdx.x] = As_next;
            Bs_stage[stage][threadIdx.y][threadIdx.x] = Bs_next;
            __syncthreads();
        }
        for (int kk = 0; kk < T; ++kk) acc = fmaf(e4m3(As_stage[stage][threadIdx.y][kk]), e4m3(Bs_stage[stage][threadIdx.x][kk]), acc);
    }
    if (m < M && n < N) C[m * N + n] = acc;
}
