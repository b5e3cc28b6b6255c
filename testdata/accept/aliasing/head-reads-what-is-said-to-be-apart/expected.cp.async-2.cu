// Two arrays of the caller's: the head reads one, compute stores to the other. The options say they are two.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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

    // pipelinify: cp.async, 2 stages, source cefd4db5
    int d_load = 0, stage = 0;
    if (d_load < days) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d_load < days) {
            __pipeline_memcpy_async(&rate_stage[load_stage][c], &rates[d_load * 64 + c], sizeof(float));
            ++d_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int d = 0; d < days; ++d) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const float partner = from[(c + 5) % 64];
        for (int k = 0; k < 64; ++k)
            sum += partner * rate_stage[stage][k];
        to[c] = sum;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}
