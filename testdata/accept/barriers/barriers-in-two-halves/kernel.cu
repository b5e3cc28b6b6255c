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
    __shared__ float batch[64];
    const float fade = rate[threadIdx.x];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        batch[threadIdx.x] = events[(k * 2 + blockIdx.x) * 64 + threadIdx.x];
        auto token = block.barrier_arrive();
        sum *= fade; /* needs no event of this batch */
        block.barrier_wait(std::move(token));
        for (int i = 0; i < 64; ++i)
            sum += batch[i] * (threadIdx.x ^ i);
        block.barrier_wait(block.barrier_arrive());
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
