// The block's best goes to all threads by a helper, between the barrier that begins the body and the loads.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ void announce(float *board, float value, bool speaker)
{
    if (speaker)
        *board = value;
}

// pipelinify: launch leader
//   sizes  chunks=0,1,2,3,8
//   target chunks=8192
//   grid   1
//   block  128
//   data:  in  [chunks * 128] random
//   best:  out [128]
//   chunks: chunks
__global__ void leader(const float *__restrict__ data, float *__restrict__ best, int chunks)
{
    constexpr int stages = 3;
    __shared__ float chunk_stage[stages][128];
    __shared__ float board;
    const int id = threadIdx.x;
    float top = -1.0f;
    if (id == 0)
        board = 0.0f;

    // pipelinify: cp.async, 3 stages, source d3e4291c
    int c_load = 0, stage = 0;
    if (c_load < chunks) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (c_load < chunks) {
            __pipeline_memcpy_async(&chunk_stage[load_stage][id], &data[c_load * 128 + id], sizeof(float));
            ++c_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int c = 0; c < chunks; ++c) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        announce(&board, top, id == c % 128);
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            top = fmaxf(top, chunk_stage[stage][i] * (1.0f - 0.001f * abs(i - id)) - 0.125f * board);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    best[id] = top;
}
