// Threads without a column have left before the loop: their cells are filled by nobody, in any tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch columns
//   sizes  cols=1,20,63,64 depth=1,2,5
//   target cols=64 depth=8192
//   grid   1
//   block  64
//   cols:  cols
//   depth: depth
//   m:     in  [depth * 64] random
//   s:     inout [64] random
__global__ void columns(int cols, int depth, const float *__restrict__ m, float *__restrict__ s)
{
    constexpr int stages = 8;
    __shared__ float row_stage[stages][64];
    const int c = threadIdx.x;
    if (c >= cols)
        return;
    float sum = 0.0f;

    // pipelinify: cp.async, 8 stages, source 94e0211d
    int d_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d_load < depth) {
            __pipeline_memcpy_async(&row_stage[load_stage][c], &m[d_load * 64 + c], sizeof(float));
            ++d_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int d = 0; d < depth; ++d) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < cols; ++k)
            sum += row_stage[stage][k] * (k + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    s[c] = sum;
}
