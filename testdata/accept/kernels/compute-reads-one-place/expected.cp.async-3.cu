// Compute that reads global memory of its own, each thread in one place: that is in a register
// while the loop runs, and loading tiles ahead pays as in any other loop.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define PATTERNS 64

// pipelinify: launch near_patterns
//   sizes    np=0,63,64,128,200 nk=64,128
//   target   np=4096 nk=65536
//   grid     nk / 64
//   block    64
//   keys:    in  [nk]
//   pat:     in  [np + 1]
//   found:   out [nk]
//   np:      np
extern "C" __global__ void near_patterns(const unsigned *keys, const unsigned *pat, unsigned *found,
                                         int np)
{
    constexpr int stages = 3;
    __shared__ unsigned win_stage[stages][PATTERNS];
    unsigned cnt = 0;
    int i, j;

    // pipelinify: cp.async, 3 stages, source c1a46651
    i = 0;
    int i_load = i;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load + PATTERNS <= np) {
            __pipeline_memcpy_async(&win_stage[load_stage][threadIdx.x], &pat[i_load + threadIdx.x],
                                    sizeof(unsigned int));
            i_load += PATTERNS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; i + PATTERNS <= np; i += PATTERNS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (j = 0; j < PATTERNS; j++)
            cnt += __popc(win_stage[stage][j] ^ keys[blockIdx.x * PATTERNS + threadIdx.x]) < 14;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    found[blockIdx.x * PATTERNS + threadIdx.x] = cnt;
}
