// Compute that says in which function it stands: it is none of a lambda.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ float letters(const char *name)
{
    float sum = 0.f;
    for (int i = 0; name[i]; ++i)
        sum += name[i] & 7;
    return sum;
}

// pipelinify: launch weigh
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     1
//   block    64
//   from:    in  [tiles * 64]
//   sums:    out [64]
//   tiles:   tiles
__global__ void weigh(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part_stage[2][64];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 9e220ead
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &from[t_load * 64 + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < 64; ++k)
            sum += part_stage[stage][k] * (float)((k ^ threadIdx.x) & 3);
        sum += letters(__func__);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    sums[threadIdx.x] = sum;
}
