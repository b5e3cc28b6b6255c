#include <cuda_pipeline.h>

#define TS 16

// pipelinify: launch gemm_do_while
//   sizes  n=16,32,48,80,96
//   target n=2048
//   grid   n / 16, n / 16
//   block  16, 16
//   A:     in  [n * n]
//   B:     in  [n * n]
//   C:     out [n * n]
//   n:     n
//   work   flops 2 * n * n * n
__global__ void gemm_do_while(const float *__restrict__ A, const float *__restrict__ B,
                              float *__restrict__ C, int n)
{
    __shared__ float As_stage[2][TS][TS], Bs_stage[2][TS][TS];
    const int c = blockIdx.x * TS + threadIdx.x;
    const int r = blockIdx.y * TS + threadIdx.y;
    float v = 0.0f;
    int k = 0;

    // pipelinify: cp.async, 2 stages, source 227dbd43
    int k_load = k, stage = 0;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            __pipeline_memcpy_async(&As_stage[load_stage][threadIdx.y][threadIdx.x],
                                    &A[r * n + k_load + threadIdx.x], sizeof(float));
            __pipeline_memcpy_async(&Bs_stage[load_stage][threadIdx.y][threadIdx.x],
                                    &B[(k_load + threadIdx.y) * n + c], sizeof(float));
            k_load += TS;
            more = k_load < n;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    do {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < TS; ++i)
            v += As_stage[stage][threadIdx.y][i] * Bs_stage[stage][i][threadIdx.x];
        k += TS;
        stage ^= 1;
    } while (k < n);
    __pipeline_wait_prior(0);

    C[r * n + c] = v;
}
