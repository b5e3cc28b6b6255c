// Two arrays of the caller's: the head reads one, compute stores to the other. They may be one.
#include <cuda_runtime.h>

// pipelinify: launch exchange
//   sizes  days=0,1,2,5
//   target days=4096
//   grid   1
//   block  64
//   rates: in    [days * 64] random
//   from:  in    [64] random
//   to:    inout [64] random
//   days:  days
__global__ void exchange(const float *__restrict__ rates, const float *from, float *to, int days)
{
    __shared__ float rate_stage[2][64];
    const int c = threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source cefd4db5
    int d = 0, stage = 0;
    if (d < days) {
        __syncthreads();
        auto compute_tile = [&]() {
            const float partner = from[(c + 5) % 64];
            __syncthreads();
            for (int k = 0; k < 64; ++k)
                sum += partner * rate_stage[stage][k];
            to[c] = sum;
        };
        rate_stage[0][c] = rates[d * 64 + c];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++d; d < days; ++d) {
            float rate_next = rates[d * 64 + c];
            compute_tile();
            stage ^= 1;
            rate_stage[stage][c] = rate_next;
            __syncthreads();
        }
        compute_tile();
    }
}
