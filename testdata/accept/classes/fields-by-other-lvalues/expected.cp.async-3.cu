#include <cuda_pipeline.h>

// What of an object says where the next tile lies is set through casts and choices of places.
// pipelinify: launch wander
//   sizes n=0,1,2,3,5,7
//   grid  2
//   block 64
//   in:   in  [n * 64 + 640] random
//   out:  out [128]
//   n: n
struct Cursor {
    int at, turns, step;
};

__global__ void wander(const float *__restrict__ in, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][64];
    const int tx = threadIdx.x;
    Cursor cursor{0, 1, 64};
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 137e473c
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][tx],
                                    &in[(t_load + (cursor.at & 3)) * cursor.step + tx],
                                    sizeof(float));
            (t_load & 1 ? cursor.at : cursor.turns) = t_load;
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + tile_stage[stage][q ^ tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + tx] = sum + cursor.at;
}

// pipelinify: launch counted
//   sizes n=0,1,2,3,5,7
//   grid  2
//   block 64
//   in:   in  [n * 64 + 640] random
//   out:  out [128]
//   n: n
__global__ void counted(const float *__restrict__ in, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][64];
    const int tx = threadIdx.x;
    Cursor cursor{0, 1, 64};
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source e44e60c7
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][tx],
                                    &in[(t_load + (cursor.at & 3)) * cursor.step + tx],
                                    sizeof(float));
            static_cast<int &>(cursor.at) += 1;
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + tile_stage[stage][q ^ tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + tx] = sum + cursor.at;
}
