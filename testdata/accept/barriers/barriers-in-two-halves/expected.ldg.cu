// The block arrives at its barrier, does what needs no tile, and waits; and arrives and waits in one statement.
#include <cooperative_groups.h>
#include <utility>
namespace cg = cooperative_groups;

// pipelinify: launch decay
//   sizes    n=0,1,2,3,9
//   target   n=4096
//   grid     2
//   block    64
//   events:  in  [n * 128] random
//   rate:    in  [64] random
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(64)
decay(const float *__restrict__ events, const float *__restrict__ rate, float *__restrict__ out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ float batch_stage[2][64];
    const float fade = rate[threadIdx.x];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 9ae27648
    int k = 0, stage = 0;
    if (k < n) {
        batch_stage[0][threadIdx.x] = events[(k * 2 + blockIdx.x) * 64 + threadIdx.x];
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float batch_next = events[(k * 2 + blockIdx.x) * 64 + threadIdx.x];
            sum *= fade; /* needs no event of this batch */
            for (int i = 0; i < 64; ++i)
                sum += batch_stage[stage][i] * (threadIdx.x ^ i);
            stage ^= 1;
            batch_stage[stage][threadIdx.x] = batch_next;
            block.sync();
        }
        sum *= fade; /* needs no event of this batch */
        for (int i = 0; i < 64; ++i)
            sum += batch_stage[stage][i] * (threadIdx.x ^ i);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
