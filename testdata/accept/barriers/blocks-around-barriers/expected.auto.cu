// Blocks that hold barriers: braces that a generator has doubled, and a block for each phase.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch doubled
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     3
//   block    64
//   x:       in  [tiles*64 + 1]
//   y:       out [3*64]
//   tiles:   tiles

extern "C" __global__ void doubled(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    constexpr int stages = 8;
    __shared__ float buf_stage[stages][64];
    float acc = 0.f;
    // pipelinify: cp.async, 8 stages, source 9b345629
    int ko_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (ko_load < tiles) {
            __pipeline_memcpy_async(&buf_stage[load_stage][(int)threadIdx.x], &x[ko_load * 64 + (int)threadIdx.x],
                                    sizeof(float));
            ++ko_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int ko = 0; ko < tiles; ++ko) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int ki = 0; ki < 64; ++ki) {{
            acc = acc + buf_stage[stage][ki] * (float)((ki * 3 + (int)threadIdx.x) % 11);
        }}
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[(int)blockIdx.x * 64 + (int)threadIdx.x] = acc;
}

// pipelinify: launch phases
//   sizes    n=64,128,320
//   target   n=65536
//   grid     3
//   block    64
//   x:       in  [n + 1]
//   w:       in  [n + 1]
//   y:       out [3*64]
//   n:       n

__global__ void phases(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float sx_stage[stages][64], sw_stage[stages][64];
    const int t = threadIdx.x;
    float acc = 0.f;
    // pipelinify: cp.async, 8 stages, source a677de9a
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            // fetch
            const int i = at_load + t;
            __pipeline_memcpy_async(&sx_stage[load_stage][t], &x[i], sizeof(float));
            __pipeline_memcpy_async(&sw_stage[load_stage][63 - t], &w[i], sizeof(float));
            at_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        // use
        float part = 0.f;
        for (int j = 0; j < 64; ++j)
            part += sx_stage[stage][j] * sw_stage[stage][(j + t) % 64];
        acc += part * (float)(blockIdx.x + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 64 + t] = acc;
}
