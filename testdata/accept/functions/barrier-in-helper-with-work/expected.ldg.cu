// The helper behind the load waits, and then fades what was summed so far.
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
    // pipelinify: ldg, 2 stages, source efeb5f37
    {
        int at = 0;
        if (at < n) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &span = span_stage[stage];
                sum *= fade;
                for (int j = 0; j < SPAN; ++j)
                    sum += span[j] * p;
            };

            // Prologue: load the first tile.
            {
                auto &span = span_stage[0];
                span[threadIdx.x] = signal[at + threadIdx.x];
            }
            at += SPAN;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; at < n; at += SPAN) {
                float span_next = signal[at + threadIdx.x];
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &span = span_stage[stage];
                    span[threadIdx.x] = span_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
