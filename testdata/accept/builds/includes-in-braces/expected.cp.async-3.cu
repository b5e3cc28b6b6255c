// A filter whose taps are numbers in a file of their own, and a C header: what
// is included in braces is no place for declarations.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

extern "C" {
#include "levels.h"
}

#define TAPS 8
#define TILE 128

__constant__ float taps[TAPS] = {
#include "taps.inc"
};

// pipelinify: launch filtered_energy
//   sizes    n=0,1,127,128,129,256,400,640
//   target   n=4194304
//   grid     2
//   block    128
//   signal:  in    [2 * n + 8] random
//   energy:  inout [256] random
//   n:       n
__global__ void filtered_energy(const float *__restrict__ signal, float *__restrict__ energy,
                                int n)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][TILE + TAPS];
    const float *row = signal + (size_t)blockIdx.x * n;
    float sum = 0.0f;

    // pipelinify: cp.async, 3 stages, source 38893e0a
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &row[base_load + threadIdx.x], sizeof(float),
                                    (base_load + threadIdx.x < n) ? 0 : sizeof(float));
            if (threadIdx.x < TAPS)
                __pipeline_memcpy_async(&part_stage[load_stage][TILE + threadIdx.x],
                                        &row[base_load + TILE + threadIdx.x], sizeof(float),
                                        (base_load + TILE + threadIdx.x < n) ? 0 : sizeof(float));
            base_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = 0; base < n; base += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float value = 0.0f;
        for (int t = 0; t < TAPS; ++t)
            value += taps[t] * part_stage[stage][threadIdx.x + t];
        sum += value * value;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    energy[blockIdx.x * TILE + threadIdx.x] += sum;
}
