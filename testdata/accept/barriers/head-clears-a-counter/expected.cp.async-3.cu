// Votes counted by an atomic that one thread sets back ahead of each tile; the count is read behind a barrier.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch votes
//   sizes  tiles=0,1,2,4,9
//   target tiles=4096
//   grid   1
//   block  96
//   ballot: in  [tiles * 96] random
//   won:    out [96]
//   tiles:  tiles
__global__ void votes(const float *__restrict__ ballot, float *__restrict__ won, int tiles)
{
    constexpr int stages = 3;
    __shared__ float paper_stage[stages][96];
    __shared__ int yes;
    float mine = 0.0f;
    if (threadIdx.x == 0)
        yes = 0;

    // pipelinify: cp.async, 3 stages, source 8e2a41fb
    int t_load = 0, stage = 0;
    if (t_load < tiles) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            __pipeline_memcpy_async(&paper_stage[load_stage][threadIdx.x], &ballot[t_load * 96 + threadIdx.x],
                                    sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        if (threadIdx.x == 0)
            yes = t & 3;
        __syncthreads();
        float s = 0.0f;
        for (int i = 0; i < 96; ++i)
            s += paper_stage[stage][i];
        if (paper_stage[stage][threadIdx.x] * 96.0f > s)
            atomicAdd(&yes, 1);
        __syncthreads();
        mine += yes * paper_stage[stage][95 - threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    won[threadIdx.x] = mine;
}
