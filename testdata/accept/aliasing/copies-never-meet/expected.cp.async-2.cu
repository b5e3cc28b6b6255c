#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// 'base' and 'rows' are known to a launch alone, but two cells of a thread are
// as far apart whatever they are; so are those of a loop.
// pipelinify: launch apart
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * 4 * T] random
//   out:     out [T]
//   tiles:   tiles
//   base:    0
//   rows:    4
__global__ void apart(const float *__restrict__ x, float *__restrict__ out,
                      int tiles, int base, int rows)
{
    __shared__ float s_stage[2][4 * T], r_stage[2][4][T];
    const int t = threadIdx.x;
    const int mine = base + t;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source d5981891
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][mine], &x[k_load * 4 * T + t],
                                    sizeof(float));
            __pipeline_memcpy_async(&s_stage[load_stage][mine + T], &x[k_load * 4 * T + t + T],
                                    sizeof(float));
            for (int i = 2; i < 4; ++i)
                __pipeline_memcpy_async(&s_stage[load_stage][mine + i * T],
                                        &x[k_load * 4 * T + t + i * T], sizeof(float));
            for (int i = 0; i < 4; ++i)
                __pipeline_memcpy_async(&r_stage[load_stage][i][t], &x[k_load * 4 * T + i * T + t],
                                        sizeof(float));
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
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t] + s_stage[stage][j + T] * s_stage[stage][j + 2 * T] -
                   s_stage[stage][j + 3 * T] * r_stage[stage][j % 4][t];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum * rows;
}
