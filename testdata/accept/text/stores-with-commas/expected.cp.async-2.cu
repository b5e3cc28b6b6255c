// A correlation of two rows in the terse C of the eighties: commas join the stores.
// pipelinify: launch ncc_rows
//   sizes    n=64,90 m=0,1,64,65,128,129,300,450
//   target   n=65536 m=8192
//   grid     (n + 63) / 64
//   block    64
//   a:       in [m + 1] random
//   b:       in [m + 1] random
//   o:       out [n]
//   n:       n
//   m:       m
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__global__ void ncc_rows(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int m)
{
    __shared__ float sa_stage[2][64], sb_stage[2][64];
    int g = blockIdx.x * 64 + threadIdx.x, i = threadIdx.x;
    float s = 0.f, ss = 0.f;
    // pipelinify: cp.async, 2 stages, source 83efabfe
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < m) {
            if (k_load + i < m) {
                __pipeline_memcpy_async(&sa_stage[load_stage][i], &a[k_load + i], sizeof(float));
                __pipeline_memcpy_async(&sb_stage[load_stage][i], &b[k_load + i], sizeof(float));
            } else {
                sa_stage[load_stage][i] = sb_stage[load_stage][i] = 0.f;
            }
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < m; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; j++)
            s += sa_stage[stage][j] * sb_stage[stage][(j + g) % 64], ss += sb_stage[stage][j] * sb_stage[stage][j];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (g < n) o[g] = s / (1.f + ss);
}
