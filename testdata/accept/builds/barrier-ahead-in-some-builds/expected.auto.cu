// Threads meet at a barrier just ahead of the first loop, and need no other there. Ahead of
// the second one they do so in some builds alone.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define LANES 64

// pipelinify: launch smooth
//   sizes  days=0,1,2,3,6
//   target days=4096
//   grid   1
//   block  64
//   rates: in  [days * 64] random
//   out_:  out [64]
//   days:  days
__global__ void smooth(const float *__restrict__ rates, float *__restrict__ out_, int days)
{
    constexpr int stages = 8;
    __shared__ float day_stage[stages][LANES];
    __shared__ float level[LANES];
    const int lane = threadIdx.x;
    level[lane] = 1.f;
    day_stage[7][lane] = 0.f;
    __syncthreads();
    float kept = day_stage[7][LANES - 1 - lane];
    __syncthreads();
    // pipelinify: cp.async, 8 stages, source a23af198
    int d_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d_load < days) {
            __pipeline_memcpy_async(&day_stage[load_stage][lane], &rates[d_load * LANES + lane],
                                    sizeof(float));
            ++d_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int d = 0; d < days; ++d) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        level[LANES - 1 - lane] = kept;
        __syncthreads();
        for (int i = 0; i < LANES; ++i)
            kept += day_stage[stage][i] * 0.125f;
        kept -= level[lane];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out_[lane] = kept;
}

// pipelinify: launch smooth_again
//   sizes  days=0,1,2,3,6
//   target days=4096
//   grid   1
//   block  64
//   rates: in  [days * 64] random
//   out_:  out [64]
//   days:  days
__global__ void smooth_again(const float *__restrict__ rates, float *__restrict__ out_, int days)
{
    __shared__ float day_stage[8][LANES];
    __shared__ float level[LANES];
    const int lane = threadIdx.x;
    level[lane] = 1.f;
    day_stage[7][lane] = 0.f;
    __syncthreads();
    float kept = day_stage[7][LANES - 1 - lane];
#ifndef ONE_BARRIER_LESS
    __syncthreads();
#endif
    // pipelinify: cp.async, 8 stages, source a23af198
    int d_load = 0, stage = 0;
    if (d_load < days) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d_load < days) {
            __pipeline_memcpy_async(&day_stage[load_stage][lane], &rates[d_load * LANES + lane],
                                    sizeof(float));
            ++d_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 7; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 7 tiles are in flight while computing on one.
    for (int d = 0; d < days; ++d) {
        __pipeline_wait_prior(6);
        __syncthreads();
        copy_tile(stage == 0 ? 7 : stage - 1);
        level[LANES - 1 - lane] = kept;
        __syncthreads();
        for (int i = 0; i < LANES; ++i)
            kept += day_stage[stage][i] * 0.125f;
        kept -= level[lane];
        stage = stage == 7 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out_[lane] = kept;
}
