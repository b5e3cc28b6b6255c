// Parameters that say nothing, and pointers of the function's own that are __restrict__.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>


// pipelinify: launch running_sums
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     1
//   block    64
//   x:       in  [tiles * 64 + 1]
//   y:       out [tiles * 64 + 1]
//   tiles:   tiles
__global__ void running_sums(const float *x, float *y, int tiles)
{
    __shared__ float s_stage[2][64];
    const float *__restrict__ from = x;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 762a43eb
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &from[k_load * 64 + threadIdx.x], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * (float)((j + threadIdx.x) % 5);
        y[k * 64 + threadIdx.x] = sum;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}

// Two halves of one buffer.
// pipelinify: launch halves
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     1
//   block    64
//   buffer:  inout [2 * tiles * 64 + 1]
//   tiles:   tiles
__global__ void halves(float *buffer, int tiles)
{
    __shared__ float s_stage[2][64];
    const float *__restrict__ const lower = buffer;
    float *__restrict__ const upper = buffer + tiles * 64;
    // pipelinify: cp.async, 2 stages, source 93cc32d5
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &lower[k_load * 64 + threadIdx.x], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        float sum = 0.f;
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * (float)((j ^ threadIdx.x) % 7);
        upper[k * 64 + threadIdx.x] = sum;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}
