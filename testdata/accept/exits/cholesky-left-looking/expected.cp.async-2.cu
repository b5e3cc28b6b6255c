// Left-looking update of a Cholesky panel: both tiles come from the matrix that is written after the loop.
#include <cuda_pipeline.h>

#define NB 8
// pipelinify: launch chol_update
//   sizes n=8,24,32 j=0,8,16,24
//   sizes n=52 j=40
//   target n=8192 j=2048
//   requires j < n
//   grid (n - j + 7) / 8
//   block 8, 8
//   A: inout [n * n]
//   n: n
//   j: j
__global__ void chol_update(float *A, int n, int j)
{
    __shared__ float L1_stage[2][NB][NB + 1], L2_stage[2][NB][NB + 1];
    const int r = j + blockIdx.x * NB + threadIdx.y, c = j + threadIdx.x;
    float s = 0.f;
    // pipelinify: cp.async, 2 stages, source 873d5929
    int p_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < j) {
            __pipeline_memcpy_async(&L1_stage[load_stage][threadIdx.y][threadIdx.x], &A[r * n + p_load + threadIdx.x],
                                    sizeof(float), (r < n) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&L2_stage[load_stage][threadIdx.y][threadIdx.x],
                                    &A[(j + threadIdx.y) * n + p_load + threadIdx.x], sizeof(float));
            p_load += NB;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int p = 0; p < j; p += NB) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int q = 0; q < NB; ++q) s += L1_stage[stage][threadIdx.y][q] * L2_stage[stage][threadIdx.x][q];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (r < n && c < n) A[r * n + c] -= s;
}
