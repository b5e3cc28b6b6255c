// C = A^T B with a size_t cursor that counts down and ends by wrapping around below zero.
#include <cstddef>

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
    __shared__ float As[16][16], Bs[16][16];
    const size_t m = blockIdx.y * 16, n = blockIdx.x * 16;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float r = 0;

    // pipelinify: ldg-single, 1 stage, source 4a2ec35d
    size_t k = K - BK;
    if (k < K) {
        As[y][x] = At[(k + y) * M + m + x];
        Bs[y][x] = B[(k + y) * N + n + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k -= BK; k < K; k -= BK) {
            float As_next = At[(k + y) * M + m + x];
            float Bs_next = B[(k + y) * N + n + x];
            for (int i = 0; i < BK; i++)
                r += As[i][y] * Bs[i][x];
            __syncthreads();
            As[y][x] = As_next;
            Bs[y][x] = Bs_next;
            __syncthreads();
        }
        for (int i = 0; i < BK; i++)
            r += As[i][y] * Bs[i][x];
    }
    C[(m + y) * N + n + x] = r;
}
