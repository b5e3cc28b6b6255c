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
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][256];
    const int size = blockDim.x;
    const int whole = (n + size - 1) / size * size;
    float s = 0.0f;

    int i = threadIdx.x;
    // pipelinify: cp.async, 3 stages, source 09564f2d
    int i_load = i, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < whole) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &a[i_load], sizeof(float),
                                    (i_load < n) ? 0 : sizeof(float));
            i_load += size;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (i < whole) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < size; ++k)
            s += tile_stage[stage][k] * (k ^ threadIdx.x);
        i += size;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    out[threadIdx.x] = s;
}
