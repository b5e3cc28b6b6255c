#include <cuda_pipeline.h>

// pipelinify: launch log_histo_free
//   sizes  tiles=1,2,3,4,9 blocks=1,3
//   target tiles=20000 blocks=528
//   let    n = tiles * 192
//   grid   blocks
//   block  192
//   x:     in  [n] range(0.5, 4)
//   out:   out [blocks * 192]
//   n:     n
__global__ void log_histo_free(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ float v_stage[stages][192];
    const int t = threadIdx.x;
    float sum = 0.f;
    int pos = 0;
    // pipelinify: cp.async, 8 stages, source a11b57be
    int pos_load = pos, stage = 0;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            __pipeline_memcpy_async(&v_stage[load_stage][t], &x[pos_load + t], sizeof(float));
            pos_load += 192;
            more = pos_load < n;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (;;) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += __logf(v_stage[stage][(t * 5) % 192]);
        pos += 192;
        stage = stage == stages - 1 ? 0 : stage + 1;
        if (pos >= n) break;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 192 + t] = sum;
}
