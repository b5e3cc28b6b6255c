// The bound is rounded up to whole tiles by a mask: all threads leave together, though each begins at its own index.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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

    // pipelinify: cp.async, 2 stages, source 8e9c7c8a
    {
        int i = threadIdx.x;
        if (i < last) {
            // Prologue: load the first tile.
            {
                auto &tile = tile_stage[0];
                if (i < n) {
                    __pipeline_memcpy_async(&tile[threadIdx.x], &a[i], sizeof(float));
                } else {
                    tile[threadIdx.x] = 0.0f;
                }
            }
            i += 32;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; i < last; i += 32) {
                {
                    auto &tile = tile_stage[stage ^ 1];
                    if (i < n) {
                        __pipeline_memcpy_async(&tile[threadIdx.x], &a[i], sizeof(float));
                    } else {
                        tile[threadIdx.x] = 0.0f;
                    }
                }
                __pipeline_commit();
                {
                    auto &tile = tile_stage[stage];
                    for (int k = 0; k < 32; ++k)
                        s += tile[k] * (k + threadIdx.x);
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &tile = tile_stage[stage];
                for (int k = 0; k < 32; ++k)
                    s += tile[k] * (k + threadIdx.x);
            }
        }
    }

    out[threadIdx.x] = s;
}
