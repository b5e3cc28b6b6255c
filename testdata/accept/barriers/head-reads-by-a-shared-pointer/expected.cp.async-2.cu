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
    __shared__ float gate_stage[2][64];
    __shared__ float state[64];
    __shared__ float *last;
    const int u = threadIdx.x;
    state[u] = 0.5f;
    if (u == 0)
        last = state;
    float h = 0.0f;
    __syncthreads();

    // pipelinify: cp.async, 2 stages, source 6999a93d
    {
        int t = 0;
        auto t_load = t;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (t_load < n) {
                auto &gate = gate_stage[load_stage];
                auto &t = t_load;
                __pipeline_memcpy_async(&gate[u], &input[t * 64 + u], sizeof(float));
                ++t;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; t < n; ++t) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &gate = gate_stage[stage];
                h += last[(u + 33) % 64];
                __syncthreads();
                float s = 0.0f;
                for (int k = 0; k < 64; ++k)
                    s += gate[k] * (k == u ? 1.0f : 0.03f);
                state[u] = s - 0.5f * h;
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    output[u] = h + state[u];
}
