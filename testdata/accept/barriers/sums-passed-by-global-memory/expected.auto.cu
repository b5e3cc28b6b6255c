// Threads hand their sums on to each other by way of global memory, between two barriers of compute.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch relayed
//   sizes   n=0,1,2,5
//   target  n=4096
//   grid    1
//   block   64
//   input:  in    [n * 64] random
//   relay:  inout [64] random
//   output: out   [64]
//   n:      n
__global__ void relayed(const float *__restrict__ input, float *relay, float *__restrict__ output,
                        int n)
{
    constexpr int stages = 8;
    __shared__ float gate_stage[stages][64];
    const int u = threadIdx.x;
    float h = 0.0f;
    // pipelinify: cp.async, 8 stages, source afb589b0
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&gate_stage[load_stage][u], &input[t_load * 64 + u], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float s = 0.0f;
        for (int k = 0; k < 64; ++k)
            s += gate_stage[stage][k] * (k == u ? 1.0f : 0.03f);
        relay[u] = s - 0.5f * h;
        __syncthreads();
        h += relay[(u + 33) % 64];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    output[u] = h;
}
