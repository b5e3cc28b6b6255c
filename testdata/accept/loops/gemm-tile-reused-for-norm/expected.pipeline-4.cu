// C = A B plus the squared norm of every 16-wide row segment; the A tile is used again for the reduction.
#include <cuda_runtime.h>
#include <cuda/pipeline>

static const int W = 16;

// pipelinify: launch matmul_row_norm
//   sizes    M=8 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=21 N=40 K=35
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   let      nb = (N + 15) / 16
//   grid     nb, (M + 7) / 8
//   block    16, 8
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   norms:   out [M * nb]
//   M:       M
//   N:       N
//   K:       K
__global__ void matmul_row_norm(const float * __restrict__ A, const float * __restrict__ B,
                                float * __restrict__ C, float * __restrict__ norms,
                                int M, int N, int K)
{
    constexpr int stages = 4;
    __shared__ float a_stage[stages][8][W];
    __shared__ float b_stage[stages][W][W];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int m = blockIdx.y * 8 + ty;
    const int n = blockIdx.x * W + tx;
    float c = 0.0f;

    int stage = 0;
    // pipelinify: pipeline, 4 stages, source 3c2e4de2
    auto pipe = cuda::make_pipeline();
    int k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        pipe.producer_acquire();
        if (k_load < K) {
            if (m < M && k_load + tx < K) {
                cuda::memcpy_async(&a_stage[load_stage][ty][tx], &A[m * K + k_load + tx],
                                   cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            } else {
                a_stage[load_stage][ty][tx] = 0.0f;
            }
            for (int r = ty; r < W; r += 8) {
                if (k_load + r < K && n < N) {
                    cuda::memcpy_async(&b_stage[load_stage][r][tx], &B[(k_load + r) * N + n],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                } else {
                    b_stage[load_stage][r][tx] = 0.0f;
                }
            }
            k_load += W;
        }
        pipe.producer_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < K; k += W) {
        cuda::pipeline_consumer_wait_prior<stages - 2>(pipe);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int i = 0; i < W; ++i)
            c += a_stage[stage][ty][i] * b_stage[stage][i][tx];
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    // Back to the stage of the last tile.
    stage = stage == 0 ? stages - 1 : stage - 1;
    __syncthreads();

    a_stage[stage][ty][tx] = c * c;
    __syncthreads();
    for (int s = W / 2; s > 0; s >>= 1) {
        if (tx < s)
            a_stage[stage][ty][tx] += a_stage[stage][ty][tx + s];
        __syncthreads();
    }

    if (m < M) {
        if (n < N)
            C[m * N + n] = c;
        if (tx == 0)
            norms[m * gridDim.x + blockIdx.x] = a_stage[stage][ty][0];
    }
}
