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
    {
        int k = 0;
        auto k_load = k;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < tiles) {
                auto &s = s_stage[load_stage];
                auto &r = r_stage[load_stage];
                auto &k = k_load;
                __pipeline_memcpy_async(&s[mine], &x[k * 4 * T + t], sizeof(float));
                __pipeline_memcpy_async(&s[mine + T], &x[k * 4 * T + t + T], sizeof(float));
                for (int i = 2; i < 4; ++i) {
                    __pipeline_memcpy_async(&s[mine + i * T], &x[k * 4 * T + t + i * T],
                                            sizeof(float));
                }
                for (int i = 0; i < 4; ++i) {
                    __pipeline_memcpy_async(&r[i][t], &x[k * 4 * T + i * T + t], sizeof(float));
                }
                ++k;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; k < tiles; ++k) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &s = s_stage[stage];
                auto &r = r_stage[stage];
                for (int j = 0; j < T; ++j)
                    sum += s[j ^ t] + s[j + T] * s[j + 2 * T] - s[j + 3 * T] * r[j % 4][t];
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    out[t] = sum * rows;
}
