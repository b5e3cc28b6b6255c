// One index for the loads and for the sum, declared where C had it.
#define SPAN 64

__global__ void guarded_sums(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int i, k, at;
    for (k = 0; k < n; k += SPAN) {
        i = threadIdx.x;
        at = k + i;
        if (at < n)
            span[i] = x[at];
        else
            span[i] = 0.0f;
        __syncthreads();
        for (i = 0; i < SPAN; i++)
            sum += span[i] * at;
        __syncthreads();
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
