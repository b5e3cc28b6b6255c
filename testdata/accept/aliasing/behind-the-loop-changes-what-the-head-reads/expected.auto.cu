// No barrier ends the body, but those inside stand between the head of the last tile and the text behind the loop.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch smooth
//   sizes  passes=0,1,2,3,6
//   target passes=8192
//   grid   1
//   block  128
//   kernel_: in  [passes * 128] random
//   line:    inout [128] random
//   passes:  passes
__global__ void smooth(const float *__restrict__ kernel_, float *line, int passes)
{
    constexpr int stages = 8;
    __shared__ float weight_stage[stages][128];
    const int i = threadIdx.x;
    float value = 0.0f;

    // pipelinify: cp.async, 8 stages, source 989dbe38
    int p_load = 0, stage = 0;
    if (p_load < passes) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < passes) {
            __pipeline_memcpy_async(&weight_stage[load_stage][i], &kernel_[p_load * 128 + i], sizeof(float));
            ++p_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int p = 0; p < passes; ++p) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const float across = line[127 - i];
        for (int k = 0; k < 128; ++k)
            value += across * weight_stage[stage][k] * weight_stage[stage][(k + i) & 127];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    line[i] = value;
}
