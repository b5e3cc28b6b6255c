// A pointer in shared memory says where the last state is: what the head reads by it, compute changes by name.
#include <cuda_runtime.h>

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

    // pipelinify: ldg, 2 stages, source 6999a93d
    int t = 0, stage = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            h += last[(u + 33) % 64];
            __syncthreads();
            float s = 0.0f;
            for (int k = 0; k < 64; ++k)
                s += gate_stage[stage][k] * (k == u ? 1.0f : 0.03f);
            state[u] = s - 0.5f * h;
        };
        gate_stage[0][u] = input[t * 64 + u];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float gate_next = input[t * 64 + u];
            compute_tile();
            stage ^= 1;
            gate_stage[stage][u] = gate_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    output[u] = h + state[u];
}
