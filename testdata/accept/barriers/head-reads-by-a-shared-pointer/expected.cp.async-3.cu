// A pointer in shared memory says where the last state is: what the head reads by it, compute changes by name.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch states
//   sizes  n=0,1,2,5
//   target n=4096
//   grid   1
//   block  64
//   input: in  [n * 64] random
//   output: out [64]
//   n:     n
__global__ void states(const float *__restrict__ input, float *__restrict__ output, int n)
{
    constexpr int stages = 3;
    __shared__ float gate_stage[stages][64];
    __shared__ float state[64];
    __shared__ float *last;
    const int u = threadIdx.x;
    state[u] = 0.5f;
    if (u == 0)
        last = state;
    float h = 0.0f;
    __syncthreads();

    // pipelinify: cp.async, 3 stages, source 6999a93d
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
        h += last[(u + 33) % 64];
        __syncthreads();
        float s = 0.0f;
        for (int k = 0; k < 64; ++k)
            s += gate_stage[stage][k] * (k == u ? 1.0f : 0.03f);
        state[u] = s - 0.5f * h;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    output[u] = h + state[u];
}
