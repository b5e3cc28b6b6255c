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
    __shared__ float gate[64];
    const int u = threadIdx.x;
    float h = 0.0f;
    for (int t = 0; t < n; ++t) {
        gate[u] = input[t * 64 + u];
        __syncthreads();
        float s = 0.0f;
        for (int k = 0; k < 64; ++k)
            s += gate[k] * (k == u ? 1.0f : 0.03f);
        relay[u] = s - 0.5f * h;
        __syncthreads();
        h += relay[(u + 33) % 64];
        __syncthreads();
    }
    output[u] = h;
}
