// C = A^T B with a size_t cursor that counts down and ends by wrapping around below zero.
#include <cstddef>
#include <cuda_pipeline.h>

// pipelinify: launch atb
//   sizes    M=16 N=16 K=0,16,32,48,64,80
//   sizes    M=32 N=48 K=16,96
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   At:      in  [K * M]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void atb(const float *__restrict__ At, const float *__restrict__ B,
                    float *__restrict__ C, size_t M, size_t N, size_t K)
{
    const int BK = 16;
    __shared__ float As_stage[2][16][16], Bs_stage[2][16][16];
    const size_t m = blockIdx.y * 16, n = blockIdx.x * 16;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float r = 0;

    // pipelinify: cp.async, 2 stages, source 4a2ec35d
    size_t k_load = K - BK;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            __pipeline_memcpy_async(&As_stage[load_stage][y][x], &At[(k_load + y) * M + m + x],
                                    sizeof(float));
            __pipeline_memcpy_async(&Bs_stage[load_stage][y][x], &B[(k_load + y) * N + n + x],
                                    sizeof(float));
            k_load -= BK;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (size_t k = K - BK; k < K; k -= BK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < BK; i++)
            r += As_stage[stage][i][y] * Bs_stage[stage][i][x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    C[(m + y) * N + n + x] = r;
}
