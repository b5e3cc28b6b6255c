// Votes counted by an atomic that one thread sets back ahead of each tile; the count is read behind a barrier.
#include <cuda_runtime.h>

// pipelinify: launch votes
//   sizes  tiles=0,1,2,4,9
//   target tiles=4096
//   grid   1
//   block  96
//   ballot: in  [tiles * 96] random
//   won:    out [96]
//   tiles:  tiles
__global__ void votes(const float *__restrict__ ballot, float *__restrict__ won, int tiles)
{
    __shared__ float paper_stage[2][96];
    __shared__ int yes;
    float mine = 0.0f;
    if (threadIdx.x == 0)
        yes = 0;

    // pipelinify: ldg, 2 stages, source 8e2a41fb
    int t = 0, t_tile = t, stage = 0;
    if (t < tiles) {
        __syncthreads();
        auto compute_tile = [&]() {
            if (threadIdx.x == 0)
                yes = t_tile & 3;
            __syncthreads();
            float s = 0.0f;
            for (int i = 0; i < 96; ++i)
                s += paper_stage[stage][i];
            if (paper_stage[stage][threadIdx.x] * 96.0f > s)
                atomicAdd(&yes, 1);
            __syncthreads();
            mine += yes * paper_stage[stage][95 - threadIdx.x];
        };
        paper_stage[0][threadIdx.x] = ballot[t * 96 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float paper_next = ballot[t * 96 + threadIdx.x];
            compute_tile();
            ++t_tile;
            stage ^= 1;
            paper_stage[stage][threadIdx.x] = paper_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    won[threadIdx.x] = mine;
}
