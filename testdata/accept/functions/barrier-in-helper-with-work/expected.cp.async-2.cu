// The helper behind the load waits, and then fades what was summed so far.
#include <cuda_pipeline.h>

#define SPAN 64

__device__ __forceinline__ void settle(float *sum, float fade)
{
    __syncthreads();
    *sum *= fade;
}

// pipelinify: launch fading_correlation
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     2
//   block    64
//   signal:  in  [n] random
//   probe:   in  [64] random
//   out:     out [2 * 64]
//   n:       n
//   fade:    0.5
__global__ void fading_correlation(const float *__restrict__ signal, const float *__restrict__ probe,
                                   float *__restrict__ out, int n, float fade)
{
    __shared__ float span_stage[2][SPAN];
    const float p = probe[threadIdx.x];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source efeb5f37
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x], &signal[at_load + threadIdx.x],
                                    sizeof(float));
            at_load += SPAN;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int at = 0; at < n; at += SPAN) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum *= fade;
        for (int j = 0; j < SPAN; ++j)
            sum += span_stage[stage][j] * p;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
