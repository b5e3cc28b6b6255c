// The pointer steps from row to row beside the counter of the copy loop, and is set back to the next
// columns when the tile has been summed up.
#include <cuda_pipeline.h>

#define ROWS 8
#define COLS 32

// pipelinify: launch column_products
//   sizes   ld=32,96,160 n=0,32,96
//   sizes   ld=256 n=128,256
//   target  ld=8192 n=8192
//   block   32
//   x:      in  [8 * ld]
//   out:    out [32]
//   ld:     ld
//   n:      n
__global__ void column_products(const float *__restrict__ x, float *__restrict__ out, int ld, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][ROWS][COLS];
    const int t = threadIdx.x;
    const float *p = x + t;
    float sum = 0.0f;

    // pipelinify: cp.async, 3 stages, source 077cb011
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n && i_load < ld) {
            for (int r = 0; r < ROWS; ++r, p += ld)
                __pipeline_memcpy_async(&s_stage[load_stage][r][t], p, sizeof(float));
            p -= ROWS * ld - COLS;
            i_load += COLS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n && i < ld; i += COLS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int r = 0; r + 1 < ROWS; ++r)
            sum += s_stage[stage][r][COLS - 1 - t] * s_stage[stage][r + 1][t];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}
