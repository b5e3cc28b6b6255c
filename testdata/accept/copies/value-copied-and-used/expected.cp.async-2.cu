// Every value goes into the tile, and its thread uses it itself; an asynchronous copy has no need
// of the variable that compute declares anew.
#include <cuda_pipeline.h>

#define T 64

// pipelinify: launch spread
//   sizes tiles=0,1,2,3,4,5,7
//   grid  2
//   block 64
//   target tiles=65536
//   x:     in  [tiles * 64] random
//   y:     out [128]
//   tiles: tiles
__global__ void spread(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 5441a7ab
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[t_load * T + threadIdx.x],
                                    sizeof(float));
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
        const float own = x[t * T + threadIdx.x];
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + (s_stage[stage][j] - own) * (s_stage[stage][j] - own);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * T + threadIdx.x] = sum;
}
