// Brackets and braces by their other names, for keyboards that had none.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch smoothed
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     3
//   block    64
//   x:       in  [tiles*64 + 1]
//   y:       out [3*64]
//   tiles:   tiles

__global__ void smoothed(const float *__restrict__ x, float *__restrict__ y, int tiles)
<%
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 56cdfcfa
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &x[k_load * 64 + threadIdx.x], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * (float)((j bitand threadIdx.x) + blockIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y<:blockIdx.x * 64 + threadIdx.x:> = sum;
%>
