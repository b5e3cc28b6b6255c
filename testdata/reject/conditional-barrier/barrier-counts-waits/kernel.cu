// Every wait is counted where the barrier is called: an argument with an effect.
#define SPAN 128

__device__ __forceinline__ void wait_all(int)
{
    __syncthreads();
}

__global__ void windowed_energy(const float *__restrict__ samples, float *__restrict__ energy,
                                int *__restrict__ waits, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int waited = 0;
    for (int at = 0; at < n; at += SPAN) {
        span[threadIdx.x] = samples[at + threadIdx.x];
        wait_all(waited++);
        for (int j = 0; j < SPAN; ++j)
            sum += span[j] * span[(j + threadIdx.x) % SPAN];
        wait_all(waited++);
    }
    energy[blockIdx.x * SPAN + threadIdx.x] = sum;
    waits[blockIdx.x * SPAN + threadIdx.x] = waited;
}
