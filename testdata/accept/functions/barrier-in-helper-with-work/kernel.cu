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
    for (int at = 0; at < n; at += SPAN) {
        span[threadIdx.x] = signal[at + threadIdx.x];
        settle(&sum, fade);
        for (int j = 0; j < SPAN; ++j)
            sum += span[j] * p;
        __syncthreads();
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
