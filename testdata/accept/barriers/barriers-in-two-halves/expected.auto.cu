// The block arrives at its barrier, does what needs no tile, and waits; and arrives and waits in one statement.
#include <cooperative_groups.h>
#include <utility>
#include <cuda_pipeline.h>
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
    constexpr int stages = 8;
    __shared__ float batch_stage[stages][64];
    const float fade = rate[threadIdx.x];
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 9ae27648
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&batch_stage[load_stage][threadIdx.x],
                                    &events[(k_load * 2 + blockIdx.x) * 64 + threadIdx.x], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        block.sync();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum *= fade; /* needs no event of this batch */
        for (int i = 0; i < 64; ++i)
            sum += batch_stage[stage][i] * (threadIdx.x ^ i);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
