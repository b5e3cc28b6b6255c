// y = W x with nothing promised about the pointers: a block a row, tiles of 128 float4 of W and of x.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BLOCK 128

// pipelinify: launch row_dot
//   sizes    m=1,3 n=0,512,1024,1536,2048,2560
//   sizes    m=8 n=4608
//   target   m=64 n=262144
//   grid     m
//   block    128
//   y:       out [m]
//   W:       in  [m * n]
//   x:       in  [n]
//   n:       n
//   work     flops 2 * m * n
//   work     bytes 4 * (m * n + n + m)
__global__ void row_dot(float *y, const float *W, const float *x, int n)
{
    constexpr int stages = 3;
    __shared__ float4 ws_stage[stages][BLOCK], xs_stage[stages][BLOCK];
    __shared__ float sums[BLOCK];
    const int t = threadIdx.x;
    const float4 *w4 = (const float4 *)(W + (size_t)blockIdx.x * n);
    const float4 *x4 = (const float4 *)x;

    float acc = 0.f;
    // pipelinify: cp.async, 3 stages, source 422b93bd
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n / 4) {
            __pipeline_memcpy_async(&ws_stage[load_stage][t], &w4[k_load + t], sizeof(float4));
            __pipeline_memcpy_async(&xs_stage[load_stage][t], &x4[k_load + t], sizeof(float4));
            k_load += BLOCK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n / 4; k += BLOCK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const float4 u = ws_stage[stage][t ^ 31], v = xs_stage[stage][t ^ 31];
        acc += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    sums[t] = acc;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = sums[0];
}
