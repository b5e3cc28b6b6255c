// The bound is a multiple of the block's size, whatever that is.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch blocks
//   sizes  n=0,1,63,64,65,200
//   target n=65536
//   grid   1
//   block  64
//   n:     n
//   a:     in  [n] random
//   out:   out [64]
__global__ void blocks(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile_stage[2][256];
    const int size = blockDim.x;
    const int whole = (n + size - 1) / size * size;
    float s = 0.0f;

    int i = threadIdx.x;
    // pipelinify: cp.async, 2 stages, source 09564f2d
    {
        if (i < whole) {
            // Prologue: load the first tile.
            {
                auto &tile = tile_stage[0];
                if (i < n) {
                    __pipeline_memcpy_async(&tile[threadIdx.x], &a[i], sizeof(float));
                } else {
                    tile[threadIdx.x] = 0.0f;
                }
                i += size;
            }
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            while (i < whole) {
                {
                    auto &tile = tile_stage[stage ^ 1];
                    if (i < n) {
                        __pipeline_memcpy_async(&tile[threadIdx.x], &a[i], sizeof(float));
                    } else {
                        tile[threadIdx.x] = 0.0f;
                    }
                    i += size;
                }
                __pipeline_commit();
                {
                    auto &tile = tile_stage[stage];
                    for (int k = 0; k < size; ++k)
                        s += tile[k] * (k ^ threadIdx.x);
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &tile = tile_stage[stage];
                for (int k = 0; k < size; ++k)
                    s += tile[k] * (k ^ threadIdx.x);
            }
        }
    }

    out[threadIdx.x] = s;
}
