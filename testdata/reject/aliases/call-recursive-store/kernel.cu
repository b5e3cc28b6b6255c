// Each row is summed pairwise by a function that calls itself and leaves its sum where the next tile is read.
__device__ void carry_up(float *slot, int level, float sum)
{
    if (level == 0)
        *slot = sum;
    else
        carry_up(slot, level - 1, sum * 0.5f);
}

__global__ void pairwise_levels(float *__restrict__ series, float *__restrict__ total, int n)
{
    __shared__ float window[64];
    float sum = 0.f;
    for (int at = 0; at < n; at += 64) {
        window[threadIdx.x] = series[at + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += window[k];
        carry_up(&series[at + 64 + threadIdx.x], 3, sum);
        __syncthreads();
    }
    total[threadIdx.x] = sum;
}
