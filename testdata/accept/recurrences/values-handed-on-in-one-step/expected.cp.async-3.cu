// One statement hands values on from name to name: each is made of the next, and the
// last of the first.

#include <cuda_pipeline.h>

// pipelinify: launch handed_on
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [n * 64 + 96] random
//   out:  out [64]
//   n:    n
__global__ void handed_on(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    const int tx = threadIdx.x;
    int t = 0, now = 0, next = 32, last = n;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source f6cce580
    int t_load = t, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][tx], &a[now + tx], sizeof(float));
            now = next, next = last, last = 7;
            t_load = t_load + 1;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (t < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * j;
        t = t + 1;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[tx] = sum + last;
}

// pipelinify: launch in_turn
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [128] random
//   out:  out [64]
//   n:    n
__global__ void in_turn(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    const int tx = threadIdx.x;
    int t = 0, at = 5, other = 9;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source a5bca44e
    int t_load = t, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][tx], &a[(at & 63) + tx], sizeof(float));
            at = other * 3, other = at + 1;
            t_load = t_load + 1;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (t < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * j;
        t = t + 1;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[tx] = sum + at;
}
