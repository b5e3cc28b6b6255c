// Relaxation that keeps what a neighbour had before this tile: saved ahead of the loads, changed behind them.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define POINTS 128

// pipelinify: launch relax
//   sizes  rounds=0,1,2,3,7
//   target rounds=4096
//   grid   1
//   block  128
//   force: in  [rounds * 128] random
//   field: out [128]
//   rounds: rounds
__global__ void relax(const float *__restrict__ force, float *__restrict__ field, int rounds)
{
    constexpr int stages = 3;
    __shared__ float pull_stage[stages][POINTS];
    __shared__ float level[POINTS];
    const int p = threadIdx.x;
    level[p] = 0.25f * p;
    __syncthreads();

    // pipelinify: cp.async, 3 stages, source 9863cab6
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rounds) {
            __pipeline_memcpy_async(&pull_stage[load_stage][p], &force[r_load * POINTS + p], sizeof(float));
            ++r_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rounds; ++r) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();   // all forces are here
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        // What the mirrored point had.
        const float mirrored = level[POINTS - 1 - p];
        __syncthreads();   // everyone has looked

        float sum = 0.0f;
        for (int q = 0; q < POINTS; ++q)
            sum += pull_stage[stage][q] * (q & 1 ? 0.5f : -0.25f);
        level[p] = 0.5f * mirrored + sum * 0.01f + pull_stage[stage][(p + 1) % POINTS];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    field[p] = level[p];
}
