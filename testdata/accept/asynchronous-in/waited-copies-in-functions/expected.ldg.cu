// A loop in a function of the device's, whose callers copy nothing asynchronously.
#include <cuda_pipeline.h>

#define T 64
static __device__ float body(const float *__restrict__ a, int tiles)
{
    __shared__ float s_stage[2][T];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 41efc915
    {
        int k = 0;
        if (k < tiles) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &s = s_stage[stage];
                for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1);
            };

            // Prologue: load the first tile.
            {
                auto &s = s_stage[0];
                s[threadIdx.x] = a[k * T + threadIdx.x];
            }
            ++k;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; k < tiles; ++k) {
                float s_next = a[k * T + threadIdx.x];
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &s = s_stage[stage];
                    s[threadIdx.x] = s_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
            __syncthreads();
        }
    }
    return sum;
}
// pipelinify: launch whole
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void whole(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    out[threadIdx.x] = body(a, tiles);
}
