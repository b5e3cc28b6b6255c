// All that is done for a tile stands in a macro, as a statement.
// pipelinify: launch row_energy
//   sizes    rows=1,3 n=0,1,63,64,65,128,200
//   target   rows=4096 n=8192
//   grid     rows
//   block    64
//   x:       in [rows * n + 1] random
//   y:       out [rows * 64]
//   n:       n
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define SPAN 64
#define ADD_SPAN(from, left)                                                       \
    do {                                                                           \
        span[tid] = tid < (left) ? (from)[tid] : 0.0f; /* zeros behind the row */  \
        __syncthreads();                                                           \
        for (int i = 0; i < SPAN; ++i)                                             \
            energy += span[i] * span[(i + tid) % SPAN];                            \
        __syncthreads();                                                           \
    } while (0)

__global__ void row_energy(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float span_stage[stages][SPAN];
    const int tid = threadIdx.x;
    const float *row = x + (size_t)blockIdx.x * n;
    float energy = 0.0f;
    // pipelinify: cp.async, 3 stages, source c9278c5c
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&span_stage[load_stage][tid], &(row + at_load)[tid],
                                    sizeof(float), (tid < (n - at_load)) ? 0 : sizeof(float)); /* zeros behind the row */
            at_load += SPAN;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += SPAN) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < SPAN; ++i)
            energy += span_stage[stage][i] * span_stage[stage][(i + tid) % SPAN];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * SPAN + tid] = energy;
}
