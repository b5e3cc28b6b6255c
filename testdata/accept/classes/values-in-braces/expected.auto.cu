#include <cuda_pipeline.h>

// Objects in braces of their own class, whose conversion is not called; a number and a
// half, whose conversion is known.
// pipelinify: launch rows
//   sizes n=0,1,2,3,5
//   block 64
//   from: in  [n * 64] random
//   to:   out [64]
//   n:    n
struct Angle {
    float v;
    __device__ operator float() const { return v; }
};
__global__ void rows(const float *__restrict__ from, float *__restrict__ to, int n)
{
    constexpr int stages = 4;
    __shared__ float row_stage[stages][64];
    int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 67758afe
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&row_stage[load_stage][t], &from[i_load * 64 + t],
                                    sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; j += 2) {
            Angle first{row_stage[stage][j]}, second{row_stage[stage][j + 1]};
            Angle two[2] = {second, first};
            float values[2] = {float(two[0]), row_stage[stage][t]};
            sum += values[0] * (j ^ t) - float(two[1]) + values[1];
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    to[t] = sum;
}
