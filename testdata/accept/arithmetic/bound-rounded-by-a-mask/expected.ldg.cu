// The bound is rounded up to whole tiles by a mask: all threads leave together, though each begins at its own index.
#include <cuda_runtime.h>

// pipelinify: launch masked
//   sizes  n=0,1,31,32,33,100
//   target n=65536
//   grid   1
//   block  32
//   n:     n
//   a:     in  [n + 32] random
//   out:   out [32]
__global__ void __launch_bounds__(32) masked(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile_stage[2][32];
    const int last = (n + 31) & ~31;
    float s = 0.0f;

    // pipelinify: ldg, 2 stages, source 8e9c7c8a
    {
        int i = threadIdx.x;
        if (i < last) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &tile = tile_stage[stage];
                for (int k = 0; k < 32; ++k)
                    s += tile[k] * (k + threadIdx.x);
            };

            // Prologue: load the first tile.
            {
                auto &tile = tile_stage[0];
                tile[threadIdx.x] = i < n ? a[i] : 0.0f;
            }
            i += 32;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; i < last; i += 32) {
                float tile_next = i < n ? a[i] : 0.0f;
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &tile = tile_stage[stage];
                    tile[threadIdx.x] = tile_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }

    out[threadIdx.x] = s;
}
