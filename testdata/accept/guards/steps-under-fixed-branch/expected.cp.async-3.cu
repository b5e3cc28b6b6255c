// The rows of a band are met forwards or backwards: by an argument of the template, or of
// the kernel. The branch goes the same way for every tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define ROW 128

// pipelinify: launch decay<true>
//   sizes    rows=0,1,2,3,5,8
//   target   rows=20000
//   grid     3
//   block    128
//   band:    in  [(rows + 1) * 128] random
//   scan:    out [3 * 128]
//   rows:    rows
// pipelinify: launch decay<false>
//   sizes    rows=0,1,2,3,5,8
//   target   rows=20000
//   grid     3
//   block    128
//   band:    in  [(rows + 1) * 128] random
//   scan:    out [3 * 128]
//   rows:    rows
template <bool BACKWARDS>
__global__ void decay(const float *__restrict__ band, float *__restrict__ scan, int rows)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][ROW];
    const int lane = threadIdx.x;
    const float *next = BACKWARDS ? band + rows * ROW + lane - (rows > 0 ? ROW : 0) : band + lane;
    float state = 0.f;

    // pipelinify: cp.async, 3 stages, source 9bca1474
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            __pipeline_memcpy_async(&row_stage[load_stage][lane], next, sizeof(float));
            if (BACKWARDS) {
                next -= ROW;
            } else {
                next += ROW;
            }
            ++r_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rows; ++r) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < ROW; k += 4)
            state = state * 0.5f + row_stage[stage][(k + lane) % ROW] * row_stage[stage][k];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    scan[blockIdx.x * ROW + lane] = state + rows;
}

// pipelinify: launch zigzag
//   sizes    rows=0,1,2,3,5,8 order=0,1,2,3
//   target   rows=20000 order=1
//   block    128
//   band:    in  [(rows * 3 + 8) * 128] random
//   scan:    out [128 + 2]
//   rows:    rows
//   order:   order
__global__ void zigzag(const float *__restrict__ band, float *__restrict__ scan, int rows, int order)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][ROW];
    const int lane = threadIdx.x;
    int at = order > 1 ? rows * 3 : 0, met = 0;
    float state = 0.f;

    // pipelinify: cp.async, 3 stages, source 4b78795a
    int r_load = 0, at_load = at, met_load = met, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            auto &at = at_load;
            __pipeline_memcpy_async(&row_stage[load_stage][lane], &band[at * ROW + lane], sizeof(float));
            // Which way is said once for the launch.
            if (order > 1) {
                at -= 1;
                if (order == 3)
                    at -= 2, met_load += 3;
            } else if (order == 1)
                at += 3;
            else {
                ++at;
                met_load -= 1;
            }
            r_load += 1;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rows; r += 1) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < ROW; k += 4)
            state = state * 0.5f + row_stage[stage][(k + lane) % ROW] * (met & 7);
        // Which way is said once for the launch.
        if (order > 1) {
            at -= 1;
            if (order == 3)
                at -= 2, met += 3;
        } else if (order == 1)
            at += 3;
        else {
            ++at;
            met -= 1;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    scan[lane] = state;
    if (lane == 0) {
        scan[ROW] = at;
        scan[ROW + 1] = met;
    }
}
