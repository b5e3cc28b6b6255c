// Threads hand their sums on to each other by way of global memory, between two barriers of compute.
#include <cuda_runtime.h>

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
    __shared__ float gate_stage[2][64];
    const int u = threadIdx.x;
    float h = 0.0f;
    // pipelinify: ldg, 2 stages, source afb589b0
    int t = 0, stage = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            float s = 0.0f;
            for (int k = 0; k < 64; ++k)
                s += gate_stage[stage][k] * (k == u ? 1.0f : 0.03f);
            relay[u] = s - 0.5f * h;
            __syncthreads();
            h += relay[(u + 33) % 64];
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
    output[u] = h;
}
