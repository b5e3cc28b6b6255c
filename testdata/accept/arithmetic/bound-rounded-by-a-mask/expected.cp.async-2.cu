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
        auto i_load = i;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < last) {
                auto &tile = tile_stage[load_stage];
                auto &i = i_load;
                __pipeline_memcpy_async(&tile[threadIdx.x], &a[i], sizeof(float), (i < n) ? 0 : sizeof(float));
                i += 32;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; i < last; i += 32) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &tile = tile_stage[stage];
                for (int k = 0; k < 32; ++k)
                    s += tile[k] * (k + threadIdx.x);
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }

    out[threadIdx.x] = s;
}
