// Compute that says in which function it stands: it is none of a lambda.
#include <cuda_runtime.h>

__device__ float letters(const char *name)
{
    float sum = 0.f;
    for (int i = 0; name[i]; ++i)
        sum += name[i] & 7;
    return sum;
}

// pipelinify: launch weigh
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     1
//   block    64
//   from:    in  [tiles * 64]
//   sums:    out [64]
//   tiles:   tiles
__global__ void weigh(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 9e220ead
    int t = 0;
    if (t < tiles) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float part_next = from[t * 64 + threadIdx.x];
            for (int k = 0; k < 64; ++k)
                sum += part[k] * (float)((k ^ threadIdx.x) & 3);
            sum += letters(__func__);
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (float)((k ^ threadIdx.x) & 3);
        sum += letters(__func__);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
