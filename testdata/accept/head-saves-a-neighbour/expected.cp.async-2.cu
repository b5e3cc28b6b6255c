// Relaxation that keeps what a neighbour had before this tile: saved ahead of the loads, changed behind them.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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

    // pipelinify: cp.async, 2 stages, source 9863cab6
    {
        int r = 0;
        if (r < rounds) {
            // Prologue: load the first tile.
            {
                auto &pull = pull_stage[0];
                __pipeline_memcpy_async(&pull[p], &force[r * POINTS + p], sizeof(float));
            }
            ++r;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();   // all forces are here

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; r < rounds; ++r) {
                {
                    auto &pull = pull_stage[stage ^ 1];
                    __pipeline_memcpy_async(&pull[p], &force[r * POINTS + p], sizeof(float));
                }
                __pipeline_commit();
                {
                    auto &pull = pull_stage[stage];
                    // What the mirrored point had.
                    const float mirrored = level[POINTS - 1 - p];
                    __syncthreads();   // everyone has looked

                    float sum = 0.0f;
                    for (int q = 0; q < POINTS; ++q)
                        sum += pull[q] * (q & 1 ? 0.5f : -0.25f);
                    level[p] = 0.5f * mirrored + sum * 0.01f + pull[(p + 1) % POINTS];
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();   // everyone has looked
            }

            // Epilogue: compute on the last tile.
            {
                auto &pull = pull_stage[stage];
                // What the mirrored point had.
                const float mirrored = level[POINTS - 1 - p];
                __syncthreads();   // everyone has looked

                float sum = 0.0f;
                for (int q = 0; q < POINTS; ++q)
                    sum += pull[q] * (q & 1 ? 0.5f : -0.25f);
                level[p] = 0.5f * mirrored + sum * 0.01f + pull[(p + 1) % POINTS];
            }
            __syncthreads();
        }
    }

    field[p] = level[p];
}
