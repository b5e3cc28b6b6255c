// Product whose K walk is for (;;): the end is asked for first thing in the body, pointers and cursor step last.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

static const int T = 16;

// pipelinify: launch gemm_endless
//   sizes  M=16,20 N=24 K=0,1,15,16,17,31,48,65
//   target M=2048 N=2048 K=2048
//   grid   (N + 15) / 16, (M + 15) / 16
//   block  16, 16
//   A:     in  [M * K]
//   B:     in  [K * N]
//   C:     out [M * N]
//   steps: out [M * N]
//   M:     M
//   N:     N
//   K:     K
__global__ void gemm_endless(const float *A, const float *B, float *__restrict__ C,
                             int *__restrict__ steps, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float as_stage[stages][T][T + 1];
    __shared__ float bs_stage[stages][T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const float *a = A + row * K + tx;
    const float *b = B + ty * N + col;
    float sum = 0.0f;
    int k0 = 0;

    // pipelinify: cp.async, 3 stages, source 754b6861
    int k0_load = k0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (k0_load < K)
        {
            __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], a, sizeof(float),
                                    (row < M && k0_load + tx < K) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx], b, sizeof(float),
                                    (col < N && k0_load + ty < K) ? 0 : sizeof(float));

            k0_load += T;
            a += T;
            b += T * N;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    // every tile is done
    while (k0 < K)
    {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int k = 0; k < T; ++k)
            sum += as_stage[stage][ty][k] * bs_stage[stage][k][tx];

        k0 += T;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (row < M && col < N) {
        C[row * N + col] = sum;
        steps[row * N + col] = k0;
    }
}
