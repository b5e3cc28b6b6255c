// The barrier's helper takes the parity of the tile, which compute uses as well.
#include <cuda_pipeline.h>

#define SPAN 64

__device__ __forceinline__ void arrive(int)
{
    __syncthreads();
}

// pipelinify: launch alternating_sum
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     2
//   block    64
//   rows:    in  [n] random
//   out:     out [2 * 64]
//   n:       n
__global__ void alternating_sum(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ float span_stage[stages][SPAN];
    float sum = 0.0f;
    int at = 0;
    // pipelinify: cp.async, 8 stages, source 1df01665
    int at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x],
                                    &rows[at_load + threadIdx.x], sizeof(float));
            at_load += SPAN;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (at < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int parity = (at / SPAN) & 1;
        for (int j = 0; j < SPAN; ++j)
            sum += span_stage[stage][j ^ threadIdx.x] * (parity ? -1.0f : 1.0f);
        at += SPAN;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
