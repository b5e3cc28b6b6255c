// The K loop lives in one static device function; a plain kernel calls it once, a two-product kernel twice.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace blas3 {
namespace detail {

enum : int { EDGE = 16 };

static __device__ float block_product(const float *__restrict__ A, const float *__restrict__ B,
                                      int row, int col, int M, int N, int K)
{
    __shared__ float a_stage[2][EDGE][EDGE];
    __shared__ float b_stage[2][EDGE][EDGE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source 23b7ebbf
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            __pipeline_memcpy_async(&a_stage[load_stage][ty][tx], &A[row * K + k0_load + tx], sizeof(float),
                                    (row < M && k0_load + tx < K) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&b_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col], sizeof(float),
                                    (k0_load + ty < K && col < N) ? 0 : sizeof(float));
            k0_load += EDGE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += EDGE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < EDGE; ++k)
            sum += a_stage[stage][ty][k] * b_stage[stage][k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    return sum;
}

} // namespace detail

// pipelinify: launch blas3::gemm
//   sizes    M=16 N=16 K=0,1,16,17,32,48,64,80
//   sizes    M=20 N=30 K=33
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * detail::EDGE + threadIdx.y;
    const int col = blockIdx.x * detail::EDGE + threadIdx.x;
    const float v = detail::block_product(A, B, row, col, M, N, K);
    if (row < M && col < N)
        C[row * N + col] = v;
}

// pipelinify: launch blas3::gemm_bias2
//   sizes    M=16 N=16 K=0,16,17,32,48
//   sizes    M=20 N=30 K=33
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   A2:      in  [M * K]
//   B2:      in  [K * N]
//   bias:    in  [N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_bias2(const float *A, const float *B, const float *A2, const float *B2,
                           const float *bias, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * detail::EDGE + threadIdx.y;
    const int col = blockIdx.x * detail::EDGE + threadIdx.x;
    float v = detail::block_product(A, B, row, col, M, N, K);
    v += detail::block_product(A2, B2, row, col, M, N, K);
    if (row < M && col < N)
        C[row * N + col] = v + bias[col];
}

} // namespace blas3
