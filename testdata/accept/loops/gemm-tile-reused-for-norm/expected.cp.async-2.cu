// C = A B plus the squared norm of every 16-wide row segment; the A tile is used again for the reduction.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float a_stage[2][8][W];
    __shared__ float b_stage[2][W][W];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int m = blockIdx.y * 8 + ty;
    const int n = blockIdx.x * W + tx;
    float c = 0.0f;

    int stage = 0;
    // pipelinify: cp.async, 2 stages, source 3c2e4de2
    int k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            __pipeline_memcpy_async(&a_stage[load_stage][ty][tx], &A[m * K + k_load + tx], sizeof(float),
                                    (m < M && k_load + tx < K) ? 0 : sizeof(float));
            for (int r = ty; r < W; r += 8)
                __pipeline_memcpy_async(&b_stage[load_stage][r][tx], &B[(k_load + r) * N + n], sizeof(float),
                                        (k_load + r < K && n < N) ? 0 : sizeof(float));
            k_load += W;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < K; k += W) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int i = 0; i < W; ++i)
            c += a_stage[stage][ty][i] * b_stage[stage][i][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 1 : stage - 1;
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
