// A filter whose taps are numbers in a file of their own, and a C header: what
// is included in braces is no place for declarations.
#include <cuda_runtime.h>

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
    __shared__ float part_stage[2][TILE + TAPS];
    const float *row = signal + (size_t)blockIdx.x * n;
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source 38893e0a
    int base = 0, stage = 0;
    if (base < n) {
        auto compute_tile = [&]() {
            float value = 0.0f;
            for (int t = 0; t < TAPS; ++t)
                value += taps[t] * part_stage[stage][threadIdx.x + t];
            sum += value * value;
        };
        part_stage[0][threadIdx.x] = base + threadIdx.x < n ? row[base + threadIdx.x] : 0.0f;
        if (threadIdx.x < TAPS)
            part_stage[0][TILE + threadIdx.x] =
                base + TILE + threadIdx.x < n ? row[base + TILE + threadIdx.x] : 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float part_next2;
            float part_next = base + threadIdx.x < n ? row[base + threadIdx.x] : 0.0f;
            if (threadIdx.x < TAPS)
                part_next2 = base + TILE + threadIdx.x < n ? row[base + TILE + threadIdx.x] : 0.0f;
            compute_tile();
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            if (threadIdx.x < TAPS)
                part_stage[stage][TILE + threadIdx.x] = part_next2;
            __syncthreads();
        }
        compute_tile();
    }
    energy[blockIdx.x * TILE + threadIdx.x] += sum;
}
