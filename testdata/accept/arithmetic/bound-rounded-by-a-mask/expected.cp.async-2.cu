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
    int i_load = threadIdx.x, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < last) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &a[i_load], sizeof(float),
                                    (i_load < n) ? 0 : sizeof(float));
            i_load += 32;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = threadIdx.x; i < last; i += 32) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < 32; ++k)
            s += tile_stage[stage][k] * (k + threadIdx.x);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    out[threadIdx.x] = s;
}
