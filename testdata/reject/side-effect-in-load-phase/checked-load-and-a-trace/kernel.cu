// Each sample is checked as it is loaded, and each batch is told: what was told of the batches before a bad one would be missing.
#include <cstdio>

__device__ float checked(float sample)
{
    if (!(fabsf(sample) < 1e6f))
        __trap();
    return sample;
}

__global__ void traced(const float *__restrict__ samples, float *__restrict__ out, int n)
{
    __shared__ float batch[64];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        batch[threadIdx.x] = checked(samples[k * 64 + threadIdx.x]);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += batch[i] * (i ^ threadIdx.x);
        if (threadIdx.x == 0)
            printf("batch %d: %f\n", k, sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
