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
    __shared__ float paper[96];
    __shared__ int yes;
    float mine = 0.0f;
    if (threadIdx.x == 0)
        yes = 0;

    // pipelinify: ldg-single, 1 stage, source 8e2a41fb
    int t = 0, t_tile = t;
    if (t < tiles) {
        __syncthreads();
        auto compute_tile = [&]() {
            if (threadIdx.x == 0)
                yes = t_tile & 3;
            __syncthreads();
            float s = 0.0f;
            for (int i = 0; i < 96; ++i)
                s += paper[i];
            if (paper[threadIdx.x] * 96.0f > s)
                atomicAdd(&yes, 1);
            __syncthreads();
            mine += yes * paper[95 - threadIdx.x];
        };
        paper[threadIdx.x] = ballot[t * 96 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float paper_next = ballot[t * 96 + threadIdx.x];
            compute_tile();
            ++t_tile;
            __syncthreads();
            paper[threadIdx.x] = paper_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    won[threadIdx.x] = mine;
}
