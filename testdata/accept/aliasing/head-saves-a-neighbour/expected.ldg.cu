// Relaxation that keeps what a neighbour had before this tile: saved ahead of the loads, changed behind them.
#include <cuda_runtime.h>

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
    __shared__ float pull_stage[2][POINTS];
    __shared__ float level[POINTS];
    const int p = threadIdx.x;
    level[p] = 0.25f * p;
    __syncthreads();

    // pipelinify: ldg, 2 stages, source 9863cab6
    int r = 0, stage = 0;
    if (r < rounds) {
        auto compute_tile = [&]() {
            // What the mirrored point had.
            const float mirrored = level[POINTS - 1 - p];
            __syncthreads();   // everyone has looked

            float sum = 0.0f;
            for (int q = 0; q < POINTS; ++q)
                sum += pull_stage[stage][q] * (q & 1 ? 0.5f : -0.25f);
            level[p] = 0.5f * mirrored + sum * 0.01f + pull_stage[stage][(p + 1) % POINTS];
        };
        pull_stage[0][p] = force[r * POINTS + p];
        __syncthreads();   // all forces are here
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rounds; ++r) {
            float pull_next = force[r * POINTS + p];
            compute_tile();
            stage ^= 1;
            pull_stage[stage][p] = pull_next;
            __syncthreads();   // everyone has looked
        }
        compute_tile();
        __syncthreads();
    }

    field[p] = level[p];
}
