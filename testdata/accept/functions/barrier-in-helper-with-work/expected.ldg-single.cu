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
    __shared__ float span[SPAN];
    const float p = probe[threadIdx.x];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source efeb5f37
    int at = 0;
    if (at < n) {
        span[threadIdx.x] = signal[at + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += SPAN; at < n; at += SPAN) {
            float span_next = signal[at + threadIdx.x];
            sum *= fade;
            for (int j = 0; j < SPAN; ++j)
                sum += span[j] * p;
            __syncthreads();
            span[threadIdx.x] = span_next;
            __syncthreads();
        }
        sum *= fade;
        for (int j = 0; j < SPAN; ++j)
            sum += span[j] * p;
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
