// Threads meet at a barrier just ahead of the first loop, and need no other there. Ahead of
// the second one they do so in some builds alone.
#include <cuda_runtime.h>

#define LANES 64

// pipelinify: launch smooth
//   sizes  days=0,1,2,3,6
//   target days=4096
//   grid   1
//   block  64
//   rates: in  [days * 64] random
//   out_:  out [64]
//   days:  days
__global__ void smooth(const float *__restrict__ rates, float *__restrict__ out_, int days)
{
    __shared__ float day[LANES];
    __shared__ float level[LANES];
    const int lane = threadIdx.x;
    level[lane] = 1.f;
    day[lane] = 0.f;
    __syncthreads();
    float kept = day[LANES - 1 - lane];
    __syncthreads();
    for (int d = 0; d < days; ++d) {
        level[LANES - 1 - lane] = kept;
        __syncthreads();
        day[lane] = rates[d * LANES + lane];
        __syncthreads();
        for (int i = 0; i < LANES; ++i)
            kept += day[i] * 0.125f;
        kept -= level[lane];
        __syncthreads();
    }
    out_[lane] = kept;
}

// pipelinify: launch smooth_again
//   sizes  days=0,1,2,3,6
//   target days=4096
//   grid   1
//   block  64
//   rates: in  [days * 64] random
//   out_:  out [64]
//   days:  days
__global__ void smooth_again(const float *__restrict__ rates, float *__restrict__ out_, int days)
{
    __shared__ float day[LANES];
    __shared__ float level[LANES];
    const int lane = threadIdx.x;
    level[lane] = 1.f;
    day[lane] = 0.f;
    __syncthreads();
    float kept = day[LANES - 1 - lane];
#ifndef ONE_BARRIER_LESS
    __syncthreads();
#endif
    for (int d = 0; d < days; ++d) {
        level[LANES - 1 - lane] = kept;
        __syncthreads();
        day[lane] = rates[d * LANES + lane];
        __syncthreads();
        for (int i = 0; i < LANES; ++i)
            kept += day[i] * 0.125f;
        kept -= level[lane];
        __syncthreads();
    }
    out_[lane] = kept;
}
