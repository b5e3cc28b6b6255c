// The blocks left of the diagonal one are taken off a panel. Each thread walks along its
// own row of L, from a pointer to the one where that row's last block begins.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch update_panel
//   sizes    n=16,32,48,80,112 cols=16,32
//   target   n=4096 cols=1024
//   grid     cols / 16
//   block    16, 16
//   L:       in  [n * n]
//   X:       in  [n * cols]
//   Y:       inout [16 * cols]
//   n:       n
//   cols:    cols
__global__ void update_panel(const float *__restrict__ L, const float *__restrict__ X, float *__restrict__ Y,
                             int n, int cols)
{
    constexpr int stages = 8;
    __shared__ float l_stage[stages][16][16], x_stage[stages][16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *row = L + (n - 16 + ty) * n + tx;
    const float *const last = row + (n - 16);
    const float *block = X + ty * cols + blockIdx.x * 16 + tx;
    float *const y = Y + ty * cols + blockIdx.x * 16 + tx;
    float rest = *y;

    // pipelinify: cp.async, 8 stages, source d4265a1b
    auto row_load = row;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < last) {
            __pipeline_memcpy_async(&l_stage[load_stage][ty][tx], row_load, sizeof(float));
            __pipeline_memcpy_async(&x_stage[load_stage][ty][tx], block, sizeof(float));
            row_load += 16;
            block += 16 * cols;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (row < last) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        row += 16;
#pragma unroll
        for (int k = 0; k < 16; ++k)
            rest -= l_stage[stage][ty][k] * x_stage[stage][k][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    *y = rest;
}

// Backwards, by the number of the sample.
// pipelinify: launch reversed
//   sizes    n=0,32,64,96,160,192
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n]
//   out:     out [64]
//   n:       n
__global__ void reversed(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ float part_stage[stages][32];
    float sum = 0.0f;
    int at = blockIdx.x * n + n + threadIdx.x;
    const int stop = at - n;
    // pipelinify: cp.async, 8 stages, source d3a93921
    int at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (stop < at_load) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[at_load - 32], sizeof(float));
            at_load -= 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; stop < at; at -= 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i)
            sum = sum * 0.9375f + part_stage[stage][31 - i];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
