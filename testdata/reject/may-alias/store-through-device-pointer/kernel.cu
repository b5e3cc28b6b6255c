// The journal pointer lives in device memory; this kernel points it at its own input first.
__device__ float *journal;

__global__ void replay_journal(float *__restrict__ events, float *__restrict__ state, int batches)
{
    __shared__ float batch[128];
    if (threadIdx.x == 0)
        journal = events;
    __syncthreads();
    float level = 0.f;
    for (int b = 0; b < batches; ++b) {
        batch[threadIdx.x] = events[b * 128 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            level = fmaf(batch[k], 0.125f, level);
        journal[(b + 1) * 128 + threadIdx.x] = level;
        __syncthreads();
    }
    state[threadIdx.x] = level;
}
