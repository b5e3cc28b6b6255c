// Loaders move on with each tile, and compute asks them how much is left; a guard by that, too.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Walker {
    const float *next;
    int left;

    __device__ void load(float (&tile)[64])
    {
        tile[threadIdx.x] = next[threadIdx.x];
        next += 64;
        left -= 64;
    }
    __device__ void load_what_is_left(float (&tile)[64])
    {
        if ((int)threadIdx.x < left)
            tile[threadIdx.x] = next[threadIdx.x];
        next += 64;
        left -= 64;
    }
};

// pipelinify: launch asked
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   a:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) asked(const float *__restrict__ a, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][64];
    Walker walker = {a, n};
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source e86e95bd
    int k_load = 0, stage = 0;
    auto walker_load = walker;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &walker_load.next[threadIdx.x],
                                    sizeof(float));
            walker_load.next += 64;
            walker_load.left -= 64;
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        walker.next += 64;
        walker.left -= 64;
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i ^ threadIdx.x] * walker.left;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

// pipelinify: launch ragged
//   sizes    n=1,63,64,65,130,300
//   target   n=65536
//   grid     1
//   block    64
//   a:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) ragged(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n};
    float sum = 0.0f;
    if (threadIdx.x >= n)
        tile[threadIdx.x] = 1.0f;
    for (int k = 0; k < n; k += 64) {
        walker.load_what_is_left(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * (walker.left + 64 - i);
        __syncthreads();
    }
    y[threadIdx.x] = sum + walker.left;
}
