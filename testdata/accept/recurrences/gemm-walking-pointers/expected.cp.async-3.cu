// SGEMM whose loads walk pointers through both matrices and both tiles; the strides are blockDim.x,
// and the second copy is unrolled twice by hand, with a tail.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TM 24
#define TN 20
#define TK 16

// pipelinify: launch sgemm_walk
//   sizes    M=24,30 N=20,47 K=0,16,32,48,64,80,128
//   requires K % 16 == 0
//   target   M=3072 N=2560 K=2048
//   grid     (N + 19) / 20, (M + 23) / 24
//   block    96
//   M:       M
//   N:       N
//   K:       K
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
__global__ void __launch_bounds__(96)
sgemm_walk(int M, int N, int K, const float *__restrict__ A, const float *__restrict__ B,
           float *__restrict__ C)
{
    constexpr int stages = 3;
    __shared__ float As_stage[stages][TM][TK];
    __shared__ float Bs_stage[stages][TK * TN];
    const int m0 = blockIdx.y * TM, n0 = blockIdx.x * TN;
    float acc[5] = {};

    // pipelinify: cp.async, 3 stages, source d48382fb
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            // A: sixteen threads a row, rows apart by the number of rows that the block covers.
            const float *a = A + (m0 + threadIdx.x / TK) * K + k0_load + threadIdx.x % TK;
            float *to = &As_stage[load_stage][0][0] + threadIdx.x;
            int row = m0 + threadIdx.x / TK, left = threadIdx.x;
            while (left < TM * TK) {
                __pipeline_memcpy_async(to, a, sizeof(float), (row < M) ? 0 : sizeof(float));
                to += blockDim.x;
                a += blockDim.x / TK * K;
                row += blockDim.x / TK;
                left += blockDim.x;
            }
            // B: two elements a round, then what is left.
            int i = threadIdx.x;
            for (; i + 96 < TK * TN; i += 192) {
                const int c = n0 + i % TN, d = n0 + (i + 96) % TN;
                __pipeline_memcpy_async(&Bs_stage[load_stage][i], &B[(k0_load + i / TN) * N + c],
                                        sizeof(float), (c < N) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&Bs_stage[load_stage][i + 96],
                                        &B[(k0_load + (i + 96) / TN) * N + d], sizeof(float),
                                        (d < N) ? 0 : sizeof(float));
            }
            for (; i < TK * TN; i += 96)
                __pipeline_memcpy_async(&Bs_stage[load_stage][i],
                                        &B[(k0_load + i / TN) * N + n0 + i % TN], sizeof(float),
                                        (n0 + i % TN < N) ? 0 : sizeof(float));
            k0_load += TK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += TK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int e = threadIdx.x, q = 0; e < TM * TN; e += 96, ++q)
            for (int k = 0; k < TK; ++k)
                acc[q] += As_stage[stage][e / TN][k] * Bs_stage[stage][k * TN + e % TN];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int e = threadIdx.x, q = 0; e < TM * TN; e += 96, ++q)
        if (m0 + e / TN < M && n0 + e % TN < N)
            C[(m0 + e / TN) * N + n0 + e % TN] = acc[q];
}
